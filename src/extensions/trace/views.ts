/**
 * Makes plain data of contexts and replies, and tells how two of them differ. What is secret by its name is hidden at
 * once; texts are searched for it when the recording is asked for.
 */
import { Readable } from 'node:stream';
import { attempt, flat, oneLine, thrownText } from '../../extending.ts';
import { Context, HttpProblem, type Reply, type Route } from '../../index.ts';
import { methodsText, type RouteCollection, type RouteTrial, trialText } from '../../routing.ts';
import type { BodyView, ContextView, ReplyChanges, ReplyView, RouteVerdict } from './recording.ts';
import type { Secrets } from './secrets.ts';

/** So much of a body is shown, in characters. */
const SHOWN = 4096;
/** So much is kept until it is searched: a value that the end cuts would be shown in part. */
const KEPT = 4 * SHOWN;

/** What is shown of an object that stands for a context and is none. */
const NO_CONTEXT: ContextView = { method: '', path: '', basePath: '', query: '', headers: {}, slots: [] };

/** The context as it is now. A foreign object that stands for one has no state. */
function contextView(context: Context, secrets: Secrets): ContextView {
  const { method, path, basePath = '', query, headers } = context;
  const lines = Object.entries(headers ?? {}).map(([name, value = '']) => {
    const text = Array.isArray(value) ? value.join(', ') : String(value);
    return [name, secrets.header(name, text)] as const;
  });
  const slots = [...(Context.stateOf(context)?.slots?.keys() ?? [])].map((slot) => (slot as { name: string }).name);
  const shown = { method: String(method), path: String(path), basePath: String(basePath) };
  return { ...shown, query: secrets.target(String(query ?? '')), headers: Object.fromEntries(lines), slots };
}

/** What differs between the context that a stage got and the one that it passed on, in words. */
export function contextChanges(before: ContextView, after: ContextView): readonly string[] {
  if (after === NO_CONTEXT) return ['what is no context'];
  const changes: string[] = [];
  for (const name of ['method', 'path', 'basePath', 'query'] as const)
    if (before[name] !== after[name]) changes.push(`${name} ${JSON.stringify(after[name])}`);
  for (const name of new Set([...Object.keys(before.headers), ...Object.keys(after.headers)]))
    if (before.headers[name] !== after.headers[name]) changes.push(`header ${name}`);
  for (const name of after.slots) if (!before.slots.includes(name)) changes.push(`slot "${name}"`);
  return changes;
}

/** The reply with the beginning of its body, or with the view of it that is there already. */
export function replyView(reply: Reply, secrets: Secrets, body?: BodyView): ReplyView {
  const headers = linesOf(reply.headers).map(([name, value]) => [name, secrets.header(name, value)] as const);
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const isEncoded = headers.some(([name]) => name.toLowerCase() === 'content-encoding');
  const isText = !isEncoded && /^text\/|[/+](?:json|xml|javascript)\b/.test(type);
  return { status: Number(reply.status), headers, body: body ?? bodyView(reply.body, isText) };
}

/** The body; with its beginning where it is text, which `shorten` cuts to what is shown. */
export function bodyView(body: Reply['body'], isText: boolean): BodyView {
  if (body === undefined) return { kind: 'none' };
  if (body instanceof Readable) return { kind: 'stream' };
  if (typeof body === 'string')
    return {
      kind: 'text',
      bytes: Buffer.byteLength(body),
      ...beginningOf(Buffer.from(body.slice(0, KEPT)), body.length > KEPT),
    };
  const chunks = body instanceof Uint8Array ? [body] : body;
  if (!Array.isArray(chunks)) return { kind: 'none' };
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  if (!isText) return { kind: 'bytes', bytes };
  let start = Buffer.alloc(0);
  for (const chunk of chunks) {
    if (start.length > KEPT) break;
    start = Buffer.concat([start, chunk.subarray(0, KEPT)]);
  }
  return { kind: 'text', bytes, ...beginningOf(start.subarray(0, KEPT), bytes > KEPT) };
}

/** How the second reply differs from the first; from nothing, where there is no first. `body`: is it another body? */
export function replyChanges(before: ReplyView | undefined, after: ReplyView, body: boolean): ReplyChanges {
  const old = new Map((before?.headers ?? []).map(([name, value]) => [name.toLowerCase(), value]));
  const now = new Map(after.headers.map(([name, value]) => [name.toLowerCase(), value]));
  const names = [...new Set(after.headers.map(([name]) => name))];
  const removed = [...new Set((before?.headers ?? []).map(([name]) => name))];
  const changes = {
    added: names.filter((name) => !old.has(name.toLowerCase())),
    changed: names.filter((name) => {
      const value = old.get(name.toLowerCase());
      return value !== undefined && value !== now.get(name.toLowerCase());
    }),
    removed: removed.filter((name) => !now.has(name.toLowerCase())),
    ...(before !== undefined && before.status !== after.status && { statusBefore: before.status }),
    body,
  };
  return { ...changes, text: changesText(changes) };
}

function changesText({ added, changed, removed, statusBefore, body }: Omit<ReplyChanges, 'text'>): string {
  const parts = [
    statusBefore === undefined ? '' : `was ${statusBefore}`,
    added.length === 0 ? '' : `+ ${added.join(', ')}`,
    changed.length === 0 ? '' : `~ ${changed.join(', ')}`,
    removed.length === 0 ? '' : `- ${removed.join(', ')}`,
    body ? 'another body' : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `: ${parts.join('; ')}`;
}

/** A reply as it was, and its body to compare it with another. */
export interface SeenReply {
  readonly view: ReplyView;
  readonly body: Reply['body'];
}

/** Is the body of the second reply another than that of the first? A copy with the same text is not. */
export function isOtherBody(before: SeenReply, after: SeenReply): boolean {
  const [one, other] = [before.view.body, after.view.body];
  const isSameView = one.kind === other.kind && one.text === other.text && one.bytes === other.bytes;
  return !isSameView || (before.body !== after.body && (one.text === undefined || one.isCut === true));
}

/** A flat list of header lines, or an object of them, as pairs. */
export function linesOf(headers: Reply['headers']): (readonly [string, string])[] {
  const lines = flat(headers);
  return lines.flatMap((name, at) => (at % 2 === 0 ? [[name, String(lines[at + 1])] as const] : []));
}

/** Made of bytes: the beginning of a long text would keep all of it in memory. */
const beginningOf = (bytes: Buffer, isCut: boolean): Pick<BodyView, 'text' | 'isCut'> => ({
  text: bytes.toString('utf8'),
  ...(isCut && { isCut }),
});

/** Cuts the text of a body to what is shown, without its secrets. */
function shorten(body: BodyView, secrets: Secrets): void {
  if (body.text === undefined) return;
  const text = body.isCut ? secrets.beginning(body.text, SHOWN) : secrets.text(body.text);
  const isCut = body.isCut === true || text.length > SHOWN;
  Object.assign(body, { text: text.slice(0, SHOWN), ...(isCut && { isCut }) });
}

/** The lines of the head that was written, behind its status line. */
export const headerLines = (head: string): readonly string[] =>
  head
    .split('\r\n')
    .slice(1, -2)
    .flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);

/** The views of one request. None of its methods throws, whatever a plugin gives. */
export class KeptViews {
  readonly #secrets: Secrets;
  readonly #contexts = new WeakMap<Context, ContextView>();
  readonly #replies = new WeakMap<Reply, SeenReply>();
  readonly #later: (() => void)[] = [];

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** The context as it is now, with the slots that are set. */
  context(context: Context): ContextView {
    if (typeof context !== 'object' || context === null) return NO_CONTEXT;
    const view = attempt(() => contextView(context, this.#secrets), NO_CONTEXT);
    const known = this.#contexts.get(context);
    if (known !== undefined && known.slots.length === view.slots.length && contextChanges(known, view).length === 0)
      return known;
    this.#contexts.set(context, view);
    return view;
  }

  /** The reply as it is now. Undefined for what is none: a handler may return anything, and what checks it tells so. */
  reply(reply: Reply): SeenReply | undefined {
    const known = attempt(() => this.#replies.get(reply), undefined);
    const seen = attempt(() => this.#seen(reply, known), undefined);
    if (seen === undefined || seen === known) return seen;
    this.#replies.set(reply, seen);
    if (seen.view.body !== known?.view.body) this.shorten(seen.view.body);
    return seen;
  }

  #seen(reply: Reply, known: SeenReply | undefined): SeenReply {
    const { body } = reply;
    // A text is not read again. Bytes may have changed in place.
    const isKept = known !== undefined && body === known.body && !ArrayBuffer.isView(body) && !Array.isArray(body);
    const view = replyView(reply, this.#secrets, isKept ? known.view.body : undefined);
    return isKept && headText(known.view) === headText(view) ? known : { view, body };
  }

  /** A method of its own: a closure beside one that uses a reply would keep the whole reply in memory. */
  shorten(body: BodyView): void {
    this.#later.push(() => shorten(body, this.#secrets));
  }

  /** Does this when the recording is complete. */
  later(action: () => void): void {
    this.#later.push(action);
  }

  complete(): void {
    for (const action of this.#later.splice(0)) action();
  }
}

const headText = ({ status, headers }: ReplyView): string => JSON.stringify([status, headers]);

/** A problem with its status and the places that it names; any other error with its class. Never throws. */
export const errorText = (error: unknown): string =>
  attempt(() => oneLine(error instanceof HttpProblem ? problemText(error) : thrownText(error)), 'what cannot be shown');

function problemText({ status, message, extra }: HttpProblem): string {
  const violations: readonly unknown[] = Array.isArray(extra.errors) ? extra.errors : [];
  const places = violations.map((one) => {
    const { pointer, parameter, detail } = (one ?? {}) as Readonly<Record<string, unknown>>;
    return `${parameter ?? (pointer || 'body')}: ${detail}`;
  });
  return `HttpProblem ${status}: ${message}${places.length > 0 ? ` (${places.join('; ')})` : ''}`;
}

/** The answers of those that were tried, and why the others were not. An empty list for a path that has no meaning. */
export function routeVerdicts(
  routes: RouteCollection,
  method: string,
  path: string,
  tried: readonly RouteTrial[],
): readonly RouteVerdict[] {
  const proposed = attempt(() => new Set(routes.proposed(method, path)), new Set<Route>());
  return attempt(() => routes.explain(method, path, tried), []).map((trial) => {
    const facts = { ...routeFacts(trial.route), proposed: proposed.has(trial.route) };
    if ('untried' in trial) return { ...facts, verdict: 'untried', text: trial.reason };
    return { ...facts, verdict: trial.accepted ? 'taken' : 'rejected', text: trialText(trial) };
  });
}

/** Methods, template and name of a route. */
export function routeFacts(route: Route): Pick<RouteVerdict, 'methods' | 'template' | 'name'> {
  const { template, name } = route;
  return { methods: methodsText(route), template: template.text || '/', ...(name && { name }) };
}

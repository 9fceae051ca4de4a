/** Makes plain data of contexts, replies, errors and routes, without what is secret by its name. */
import { Readable } from 'node:stream';
import { oneLine } from '../../core/log/log-line.ts';
import { attempt, thrownText } from '../../core/log/thrown-value.ts';
import type { Context } from '../../core/message/context.ts';
import { flat } from '../../core/message/headers/header-lines.ts';
import { HttpProblem } from '../../core/message/problem.ts';
import type { Reply } from '../../core/message/reply.ts';
import { slotNames } from '../../core/message/slot.ts';
import { methodsText, trialText } from '../../core/routing/explain.ts';
import type { Route } from '../../core/routing/route.ts';
import type { RouteCollection } from '../../core/routing/route-collection.ts';
import type {
  BodyView,
  ContextView,
  HeaderLines,
  Recording,
  ReplyChanges,
  ReplyView,
  RouteVerdict,
  Station,
} from './recording.ts';
import type { SecretSearch, Secrets } from './secrets.ts';

/** So much of a body is shown, in characters. */
const SHOWN = 4096;
/** So much is kept until it is searched: a value that the end cuts would be shown in part. */
const KEPT = 4 * SHOWN;

/** What is shown of what stands for a context and is none. */
const NO_CONTEXT: ContextView = { method: '', path: '', basePath: '', query: '', headers: {}, slots: [] };

/** The context as it is now. A foreign object that stands for one has no state. Never throws. */
export const contextView = (context: Context, secrets: Secrets): ContextView =>
  attempt(() => {
    if (typeof context !== 'object') return NO_CONTEXT;
    const { method, path, basePath = '', query, headers } = context;
    const lines = Object.entries(headers ?? {}).map(([name, value = '']) => {
      const text = Array.isArray(value) ? value.join(', ') : String(value);
      return [name, secrets.header(name, text)];
    });
    return {
      method: String(method),
      path: String(path),
      basePath: String(basePath),
      query: secrets.target(String(query ?? '')),
      headers: Object.fromEntries(lines),
      slots: slotNames(context),
    };
  }, NO_CONTEXT);

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

/** A flat list of header lines, or an object of them, as pairs. Secrets are hidden. */
export function linesOf(headers: Reply['headers'], secrets: Secrets): HeaderLines {
  const lines = flat(headers);
  const lineAt = (name: string, at: number) => [name, secrets.header(name, String(lines[at + 1]))] as const;
  return lines.flatMap((name, at) => (at % 2 === 0 ? [lineAt(String(name), at)] : []));
}

/** The body; with its beginning where it is text, which `shorten` cuts to what is shown. */
export function bodyView(body: Reply['body'], headers: HeaderLines): BodyView {
  if (body instanceof Readable) return { kind: 'stream' };
  if (typeof body === 'string')
    return textView(Buffer.from(body.slice(0, KEPT)), Buffer.byteLength(body), body.length > KEPT);
  if (body === undefined) return { kind: 'none' };
  const bytes = body.length;
  const { 'content-type': type = '', 'content-encoding': coding } = Object.fromEntries(
    headers.map(([name, value]) => [name.toLowerCase(), value]),
  );
  const isText = coding === undefined && /^text\/|[/+](?:json|xml|javascript|x-www-form-urlencoded)\b/.test(type);
  if (!isText) return { kind: 'bytes', bytes };
  return textView(Buffer.from(body.subarray(0, KEPT)), bytes, bytes > KEPT);
}

/** Made of bytes: the beginning of a long text would keep all of it in memory. */
const textView = (beginning: Buffer, bytes: number, isCut: boolean): BodyView => ({
  kind: 'text',
  bytes,
  text: beginning.toString('utf8'),
  ...(isCut && { isCut }),
});

/** The recording without its secrets, with the beginnings of its bodies. */
export function shown(recording: Recording, secrets: Secrets): Recording {
  const search = secrets.search();
  const bodiesIn = ({ reply, stations }: Station): BodyView[] => [reply?.body ?? [], stations.flatMap(bodiesIn)].flat();
  for (const body of [recording.body ?? [], recording.stations.flatMap(bodiesIn)].flat()) shorten(body, search);
  return search.all(recording);
}

/** Cuts the text of a body to what is shown, without its secrets. */
function shorten(body: BodyView, search: SecretSearch): void {
  if (body.text === undefined) return;
  const text = body.isCut ? search.beginning(body.text, SHOWN) : search.text(body.text);
  const isCut = body.isCut === true || text.length > SHOWN;
  Object.assign(body, { text: text.slice(0, SHOWN), ...(isCut && { isCut }) });
}

/** A reply as it was, and its body to compare it with another. */
export interface SeenReply {
  readonly view: ReplyView;
  readonly body: Reply['body'];
}

/** The reply as it is now, with the beginning of its body. Undefined for a value that cannot be read as a reply. */
export const seenReply = (reply: Reply, secrets: Secrets): SeenReply | undefined =>
  attempt(() => {
    const headers = linesOf(reply.headers, secrets);
    const view = { status: Number(reply.status), headers, body: bodyView(reply.body, headers) };
    return { view, body: reply.body };
  }, undefined);

/** How the second reply differs from the first; from nothing, where there is no first. */
export function replyChanges(first: SeenReply | undefined, second: SeenReply): ReplyChanges {
  const body = first !== undefined && isOtherBody(first, second);
  const statusBefore = first?.view.status === second.view.status ? undefined : first?.view.status;
  const [old, now] = [linesByName(first?.view.headers ?? []), linesByName(second.view.headers)];
  const namesIn = (lines: typeof now, isMeant: (key: string, value: string) => boolean): string[] =>
    [...lines].flatMap(([key, [name, value]]) => (isMeant(key, value) ? name : []));
  const added = namesIn(now, (key) => !old.has(key));
  const changed = namesIn(now, (key, value) => old.has(key) && old.get(key)![1] !== value);
  const removed = namesIn(old, (key) => !now.has(key));
  const words = [
    statusBefore !== undefined && `was ${statusBefore}`,
    added.length > 0 && `+ ${added.join(', ')}`,
    changed.length > 0 && `~ ${changed.join(', ')}`,
    removed.length > 0 && `- ${removed.join(', ')}`,
    body && 'another body',
  ].filter((one) => one !== false);
  const text = words.length === 0 ? '' : `: ${words.join('; ')}`;
  return { added, changed, removed, ...(statusBefore !== undefined && { statusBefore }), body, text };
}

const linesByName = (lines: HeaderLines): ReadonlyMap<string, HeaderLines[number]> =>
  new Map(lines.map((line) => [line[0].toLowerCase(), line]));

/** Is the body of the second reply another than that of the first? A copy with the same text is not. */
function isOtherBody(before: SeenReply, after: SeenReply): boolean {
  const [one, other] = [before.view.body, after.view.body];
  const isSameView = one.kind === other.kind && one.text === other.text && one.bytes === other.bytes;
  return !isSameView || (before.body !== after.body && (one.text === undefined || one.isCut === true));
}

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

/** What each route answers, or why it is not tried. Empty where the routes cannot say it. */
export function routeVerdicts(routes: RouteCollection, method: string, path: string): readonly RouteVerdict[] {
  let isTaken = false;
  return attempt(() => routes.explain(method, path), []).map((trial) => {
    const facts = { ...routeFacts(trial.route), proposed: trial.proposed };
    if (isTaken && trial.proposed) return { ...facts, verdict: 'untried', text: 'an earlier route is taken' };
    if (!trial.proposed) return { ...facts, verdict: 'untried', text: trial.accepted ? '' : trial.reason };
    isTaken = trial.accepted;
    return { ...facts, verdict: trial.accepted ? 'taken' : 'rejected', text: trialText(trial) };
  });
}

/** Methods, template and name of a route. */
export function routeFacts(route: Route): Pick<RouteVerdict, 'methods' | 'template' | 'name'> {
  const { template, name } = route;
  return { methods: methodsText(route), template: `/${template.text}`, ...(name && { name }) };
}

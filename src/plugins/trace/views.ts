/** Converts contexts, replies, errors and routes to plain data, without the values of secret headers and parameters. */
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

/** The maximum number of characters of a body that are shown. */
const SHOWN = 4096;
/**
 * The maximum number of characters that are stored. It is greater than `SHOWN`, so that a secret at the end of the
 * shown part is stored completely.
 */
const STORED = 4 * SHOWN;

/** The result of `contextView` for a value that is not a context. */
const NO_CONTEXT: ContextView = { method: '', path: '', basePath: '', query: '', headers: {}, slots: [] };

/** Returns the current context as plain data; `NO_CONTEXT` for a value that is not a context. Never throws. */
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

/** Returns the differences between the context that a stage received and the context that it passed on, as texts. */
export function contextChanges(before: ContextView, after: ContextView): readonly string[] {
  if (after === NO_CONTEXT) return ['a value that is not a context'];
  const changes: string[] = [];
  for (const name of ['method', 'path', 'basePath', 'query'] as const)
    if (before[name] !== after[name]) changes.push(`${name} ${JSON.stringify(after[name])}`);
  for (const name of new Set([...Object.keys(before.headers), ...Object.keys(after.headers)]))
    if (before.headers[name] !== after.headers[name]) changes.push(`header ${name}`);
  for (const name of after.slots) if (!before.slots.includes(name)) changes.push(`slot "${name}"`);
  return changes;
}

/** Returns the header lines as pairs, with secrets hidden. */
export function linesOf(headers: Reply['headers'], secrets: Secrets): HeaderLines {
  const lines = flat(headers);
  const lineAt = (name: string, at: number) => [name, secrets.header(name, String(lines[at + 1]))] as const;
  return lines.flatMap((name, at) => (at % 2 === 0 ? [lineAt(String(name), at)] : []));
}

/** Returns the body as plain data. For text, this includes the beginning, which `shorten` later cuts to `SHOWN`. */
export function bodyView(body: Reply['body'], headers: HeaderLines): BodyView {
  if (body instanceof Readable) return { kind: 'stream' };
  if (typeof body === 'string')
    return textView(Buffer.from(body.slice(0, STORED)), Buffer.byteLength(body), body.length > STORED);
  if (body === undefined) return { kind: 'none' };
  const bytes = body.length;
  const { 'content-type': type = '', 'content-encoding': coding } = Object.fromEntries(
    headers.map(([name, value]) => [name.toLowerCase(), value]),
  );
  const isText = coding === undefined && /^text\/|[/+](?:json|xml|javascript|x-www-form-urlencoded)\b/.test(type);
  if (!isText) return { kind: 'bytes', bytes };
  return textView(Buffer.from(body.subarray(0, STORED)), bytes, bytes > STORED);
}

/** Takes a buffer, because V8 would keep the whole text in memory for a substring of it. */
const textView = (beginning: Buffer, bytes: number, isCut: boolean): BodyView => ({
  kind: 'text',
  bytes,
  text: beginning.toString('utf8'),
  ...(isCut && { isCut }),
});

/** Returns the recording with its secrets hidden and its bodies cut to the shown part. */
export function shown(recording: Recording, secrets: Secrets): Recording {
  const search = secrets.search();
  const bodiesIn = ({ reply, stations }: Station): BodyView[] => [reply?.body ?? [], stations.flatMap(bodiesIn)].flat();
  for (const body of [recording.body ?? [], recording.stations.flatMap(bodiesIn)].flat()) shorten(body, search);
  return search.all(recording);
}

/** Removes the secrets from the text of a body and cuts it to the shown part. */
function shorten(body: BodyView, search: SecretSearch): void {
  if (body.text === undefined) return;
  const text = body.isCut ? search.beginning(body.text, SHOWN) : search.text(body.text);
  const isCut = body.isCut === true || text.length > SHOWN;
  Object.assign(body, { text: text.slice(0, SHOWN), ...(isCut && { isCut }) });
}

/** A reply as plain data, and its body for comparisons. */
export interface ReplySnapshot {
  readonly view: ReplyView;
  readonly body: Reply['body'];
}

/** Returns the current state of a reply, or undefined if the value cannot be read as a reply. */
export const replySnapshot = (reply: Reply, secrets: Secrets): ReplySnapshot | undefined =>
  attempt(() => {
    const headers = linesOf(reply.headers, secrets);
    const view = { status: Number(reply.status), headers, body: bodyView(reply.body, headers) };
    return { view, body: reply.body };
  }, undefined);

/** Returns the changes from the first reply to the second. If there is no first reply, `added` has all headers. */
export function replyChanges(first: ReplySnapshot | undefined, second: ReplySnapshot): ReplyChanges {
  const body = first !== undefined && isOtherBody(first, second);
  const statusBefore = first?.view.status === second.view.status ? undefined : first?.view.status;
  const [old, now] = [linesByName(first?.view.headers ?? []), linesByName(second.view.headers)];
  const namesIn = (lines: typeof now, matches: (key: string, value: string) => boolean): string[] =>
    [...lines].flatMap(([key, [name, value]]) => (matches(key, value) ? name : []));
  const added = namesIn(now, (key) => !old.has(key));
  const changed = namesIn(now, (key, value) => old.has(key) && old.get(key)![1] !== value);
  const removed = namesIn(old, (key) => !now.has(key));
  const words = [
    statusBefore !== undefined && `was ${statusBefore}`,
    added.length > 0 && `+ ${added.join(', ')}`,
    changed.length > 0 && `~ ${changed.join(', ')}`,
    removed.length > 0 && `- ${removed.join(', ')}`,
    body && 'another body',
  ].filter((word) => word !== false);
  const text = words.length === 0 ? '' : `: ${words.join('; ')}`;
  return { added, changed, removed, ...(statusBefore !== undefined && { statusBefore }), body, text };
}

const linesByName = (lines: HeaderLines): ReadonlyMap<string, HeaderLines[number]> =>
  new Map(lines.map((line) => [line[0].toLowerCase(), line]));

/** Returns true if the bodies differ. A copy of a body with the same text does not differ. */
function isOtherBody(before: ReplySnapshot, after: ReplySnapshot): boolean {
  const [one, other] = [before.view.body, after.view.body];
  const isSameView = one.kind === other.kind && one.text === other.text && one.bytes === other.bytes;
  return !isSameView || (before.body !== after.body && (one.text === undefined || one.isCut === true));
}

/**
 * Returns the text of an error on one line. For a problem, it contains the status and the `errors`; for any other
 * error, it contains the class. Never throws.
 */
export const errorText = (error: unknown): string =>
  attempt(
    () => oneLine(error instanceof HttpProblem ? problemText(error) : thrownText(error)),
    'an error without a readable text',
  );

function problemText({ status, message, extra }: HttpProblem): string {
  const violations: readonly unknown[] = Array.isArray(extra.errors) ? extra.errors : [];
  const places = violations.map((violation) => {
    const { pointer, parameter, detail } = (violation ?? {}) as Readonly<Record<string, unknown>>;
    return `${parameter ?? (pointer || 'body')}: ${detail}`;
  });
  return `HttpProblem ${status}: ${message}${places.length > 0 ? ` (${places.join('; ')})` : ''}`;
}

/** Returns the verdict on each route, or an empty list if `routes.explain` throws. */
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

/** Returns the methods, the template and the name of a route. */
export function routeFacts(route: Route): Pick<RouteVerdict, 'methods' | 'template' | 'name'> {
  const { template, name } = route;
  return { methods: methodsText(route), template: `/${template.text}`, ...(name && { name }) };
}

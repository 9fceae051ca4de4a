/** Converts contexts, replies, errors and routes to plain data, with secrets hidden. */
import { Readable } from 'node:stream';
import type { Context } from '../../core/http/context.ts';
import { flat } from '../../core/http/headers/header-lines.ts';
import { HttpProblem } from '../../core/http/problem.ts';
import type { Reply } from '../../core/http/reply.ts';
import { slotNames } from '../../core/http/slot.ts';
import { oneLine } from '../../core/log/log-line.ts';
import { attempt, thrownText } from '../../core/log/thrown-value.ts';
import { methodsText, trialText } from '../../core/routing/explain.ts';
import type { Route } from '../../core/routing/route.ts';
import type { RouteCollection } from '../../core/routing/route-collection.ts';
import type { BodyView, ContextView, HeaderLines, ReplyView, RouteVerdict } from './recording.ts';
import { shownHeader, shownJson, shownQuery } from './secrets.ts';

/** The maximum number of characters of a body that are shown. */
const SHOWN = 4096;

/** Returns the current context as plain data, or undefined for a value that is not a context. Never throws. */
export const contextView = (context: Context): ContextView | undefined =>
  attempt(() => {
    const { method, path, basePath = '', query, headers } = context;
    const lines = Object.entries(headers).map(([name, value]) => [name, shownHeader(name, [value].flat().join(', '))]);
    return {
      method: String(method),
      path: String(path),
      basePath: String(basePath),
      query: shownQuery(String(query ?? '')),
      headers: Object.fromEntries(lines),
      slots: slotNames(context),
    };
  }, undefined);

/** Returns the differences between the context that a stage received and the context that it passed on, as texts. */
export function contextChanges(before: ContextView | undefined, after: ContextView | undefined): readonly string[] {
  if (after === undefined) return ['a value that is not a context'];
  if (before === undefined) return [];
  const names = new Set([...Object.keys(before.headers), ...Object.keys(after.headers)]);
  return [
    ...(['method', 'path', 'basePath', 'query'] as const)
      .filter((name) => before[name] !== after[name])
      .map((name) => `${name} ${JSON.stringify(after[name])}`),
    ...[...names].filter((name) => before.headers[name] !== after.headers[name]).map((name) => `header ${name}`),
    ...after.slots.filter((name) => !before.slots.includes(name)).map((name) => `slot "${name}"`),
  ];
}

/** Returns the header lines as pairs, with secrets hidden. */
export function linesOf(headers: Reply['headers']): HeaderLines {
  const lines = flat(headers).map(String);
  return lines.flatMap((name, at) => (at % 2 === 0 ? [[name, shownHeader(name, lines[at + 1] ?? '')] as const] : []));
}

/** Returns the body as plain data, with the beginning of a text. `headers` contain the media type of bytes. */
export function bodyView(body: Reply['body'], headers: HeaderLines): BodyView {
  if (body instanceof Readable) return { kind: 'stream' };
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return { kind: 'none' };
  const bytes = Buffer.byteLength(body);
  const valueOf = (wanted: string): string => headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
  const type = valueOf('content-type');
  const isText = typeof body === 'string' || TEXT.test(type);
  if (!isText || valueOf('content-encoding') !== '') return { kind: 'bytes', bytes };
  // A character has at most four bytes.
  const text = typeof body === 'string' ? body : Buffer.from(body.subarray(0, 4 * SHOWN + 1)).toString();
  const beginning = text.slice(0, SHOWN);
  const shown = /[/+]json\b/.test(type) ? shownJson(beginning) : beginning;
  return { kind: 'text', bytes, text: shown, ...(text.length > SHOWN && { isCut: true }) };
}

const TEXT = /^text\/|[/+](?:json|xml|javascript|x-www-form-urlencoded)\b/;

/** Returns a reply, or a result without headers, as plain data. Throws for another value. */
export function replyView({ status, headers = [], body }: Reply): ReplyView {
  if (status === undefined) throw new TypeError('The value is not a reply');
  const lines = linesOf(headers);
  return { status: Number(status), headers: lines, body: bodyView(body, lines) };
}

/** Returns the changes from the first reply to the second. If there is no first reply, every header is an addition. */
export function replyChanges(first: Reply | undefined, second: Reply): readonly string[] {
  const [old, now] = [linesByName(first?.headers), linesByName(second.headers)];
  const changes = first === undefined || first.status === second.status ? [] : [`was ${first.status}`];
  for (const [key, [name, value]] of now)
    if (!old.has(key)) changes.push(`+ ${name}`);
    else if (old.get(key)![1] !== value) changes.push(`~ ${name}`);
  for (const [key, [name]] of old) if (!now.has(key)) changes.push(`- ${name}`);
  if (first !== undefined && first.body !== second.body) changes.push('another body');
  return changes;
}

/** Returns the header lines by their names in lower case. Of a repeated header, it has the last line. */
const linesByName = (headers: Reply['headers'] = []): ReadonlyMap<string, HeaderLines[number]> =>
  new Map(linesOf(headers).map((line) => [line[0].toLowerCase(), line]));

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
  const { errors = [] } = extra;
  const places = errors.map(({ pointer, parameter, detail }) => `${parameter ?? (pointer || 'body')}: ${detail}`);
  return `HttpProblem ${status}: ${message}${places.length > 0 ? ` (${places.join('; ')})` : ''}`;
}

/** Returns the verdict on each route, or an empty list if a constraint throws. */
export function routeVerdicts(
  routes: RouteCollection | undefined,
  { method, path }: Pick<Context, 'method' | 'path'>,
): readonly RouteVerdict[] {
  let isTaken = false;
  return attempt(() => routes?.explain(method, path) ?? [], []).map((trial) => {
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

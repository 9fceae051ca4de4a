/** Makes plain data of contexts and replies, without their secrets, and tells how two of them differ. */
import { Readable } from 'node:stream';
import { Context, type Reply } from '../../http/message/context.ts';
import { flat } from '../../http/message/replies.ts';
import type { Secrets } from './secrets.ts';
import type { BodyView, ContextView, ReplyChanges, ReplyView } from './station.ts';

/** So much of a body is shown, in characters. */
const SHOWN = 4096;

/** The context as it is now. A foreign object that stands for one has no state. */
export function contextView(context: Context, secrets: Secrets): ContextView {
  const { method, path, basePath = '', query, headers } = context;
  const lines = Object.entries(headers ?? {}).map(([name, value = '']) => {
    const text = Array.isArray(value) ? value.join(', ') : value;
    return [name, secrets.header(name, text)] as const;
  });
  const slots = [...(Context.stateOf(context)?.slots?.keys() ?? [])].map((slot) => (slot as { name: string }).name);
  const shown = { method, path: secrets.text(path), basePath, query: secrets.target(String(query ?? '')) };
  return { ...shown, headers: Object.fromEntries(lines), slots };
}

/** What differs between the context that a stage got and the one that it passed on, in words. */
export function contextChanges(before: ContextView, after: ContextView): readonly string[] {
  if (before === after) return [];
  const changes: string[] = [];
  for (const name of ['method', 'path', 'basePath', 'query'] as const)
    if (before[name] !== after[name]) changes.push(`${name} ${JSON.stringify(after[name])}`);
  for (const name of new Set([...Object.keys(before.headers), ...Object.keys(after.headers)]))
    if (before.headers[name] !== after.headers[name]) changes.push(`header ${name}`);
  for (const name of after.slots) if (!before.slots.includes(name)) changes.push(`slot "${name}"`);
  return changes;
}

/** The reply with the beginning of its body. */
export function replyView(reply: Reply, secrets: Secrets): ReplyView {
  const headers = linesOf(reply.headers).map(([name, value]) => [name, secrets.header(name, value)] as const);
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const isEncoded = headers.some(([name]) => name.toLowerCase() === 'content-encoding');
  const isText = !isEncoded && /^text\/|[/+](?:json|xml|javascript)\b/.test(type);
  return { status: reply.status, headers, body: bodyView(reply.body, isText, secrets) };
}

/** The body; with its beginning where it is text. */
export function bodyView(body: Reply['body'], isText: boolean, secrets: Secrets): BodyView {
  if (body === undefined) return { kind: 'none' };
  if (body instanceof Readable) return { kind: 'stream' };
  if (typeof body === 'string') return { kind: 'text', bytes: Buffer.byteLength(body), ...shown(body, secrets) };
  const chunks = body instanceof Uint8Array ? [body] : body;
  if (!Array.isArray(chunks)) return { kind: 'none' };
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  if (!isText) return { kind: 'bytes', bytes };
  let start = Buffer.alloc(0);
  for (const chunk of chunks) {
    if (start.length > SHOWN) break;
    start = Buffer.concat([start, chunk.subarray(0, SHOWN + 1)]);
  }
  return { kind: 'text', bytes, ...shown(start.toString('utf8'), secrets) };
}

/** How the second reply differs from the first; from nothing, where there is no first. */
export function replyChanges(before: ReplyView | undefined, after: ReplyView): ReplyChanges {
  if (before === after) return UNCHANGED;
  const old = new Map((before?.headers ?? []).map(([name, value]) => [name.toLowerCase(), value]));
  const now = new Map(after.headers.map(([name, value]) => [name.toLowerCase(), value]));
  const names = [...new Set(after.headers.map(([name]) => name))];
  const removed = [...new Set((before?.headers ?? []).map(([name]) => name))];
  return {
    added: names.filter((name) => !old.has(name.toLowerCase())),
    changed: names.filter((name) => {
      const value = old.get(name.toLowerCase());
      return value !== undefined && value !== now.get(name.toLowerCase());
    }),
    removed: removed.filter((name) => !now.has(name.toLowerCase())),
    ...(before !== undefined && before.status !== after.status && { statusBefore: before.status }),
    body: before !== undefined && JSON.stringify(before.body) !== JSON.stringify(after.body),
  };
}

const UNCHANGED: ReplyChanges = { added: [], changed: [], removed: [], body: false };

/** A flat list of header lines, or an object of them, as pairs. */
export function linesOf(headers: Reply['headers']): (readonly [string, string])[] {
  const lines = flat(headers);
  return lines.flatMap((name, at) => (at % 2 === 0 ? [[name, String(lines[at + 1])] as const] : []));
}

/** A secret that the end cuts in two would be shown in part, so the text is cut after it is searched. */
const shown = (text: string, secrets: Secrets): Pick<BodyView, 'text' | 'isCut'> => {
  const searched = secrets.text(text.slice(0, 4 * SHOWN));
  return searched.length > SHOWN ? { text: searched.slice(0, SHOWN), isCut: true } : { text: searched };
};

/**
 * Gives the body of a request that a body parser of the host may have read before: made again from `request.body`
 * (D78). Where nothing has read the stream, `request.body` is not looked at: Express 4 sets an empty object.
 */
import type { IncomingMessage } from 'node:http';
import { bodyMemoryFull } from '../connection/body-memory.ts';
import type { Exchange } from '../connection/exchange.ts';
import { answeredAlready, tooLarge } from './body-fault.ts';
import { readBody } from './read-body.ts';

/** Requests whose stream this library has begun to read. */
const readHere = new WeakSet<Exchange>();

/** As `readBody`. Rejects with an `Error` where the stream was read and nothing is left of it. */
export function parsedBody(exchange: Exchange): Promise<Uint8Array> {
  if (!isReadByHost(exchange)) {
    readHere.add(exchange);
    return readBody(exchange);
  }
  if (exchange.replyStarted) return Promise.reject(answeredAlready());
  return madeAgain(exchange);
}

/** Has something in front of this library read the body, or begun to? */
export const isReadByHost = (exchange: Exchange): boolean =>
  exchange.bodyLength !== 0 && !readHere.has(exchange) && isTaken(exchange.request);

/** Has anyone read from the stream, or begun to? */
const isTaken = ({ readableEnded, readableFlowing, readableDidRead }: IncomingMessage): boolean =>
  readableEnded || readableFlowing === true || (readableDidRead && readableFlowing !== null);

/** The parser has undone the content coding, so the limit is that of the decoded bytes. */
async function madeAgain(exchange: Exchange): Promise<Uint8Array> {
  const { request, settings } = exchange;
  const { body } = request as { readonly body?: unknown };
  const bytes = bytesOf(body, request.headers['content-type'] ?? '');
  if (bytes === undefined)
    throw new Error(
      `Cannot read the body of ${exchange.method} ${exchange.path}: something in front of the listener has read it, ` +
        'and left no request.body that it can be made from; mount the listener in front of that',
    );
  const { bodyLimit = settings.limits.maxBody } = exchange;
  if (bytes.length > bodyLimit) throw tooLarge(bodyLimit);
  if (!settings.bodies.take(exchange, bytes.length)) throw bodyMemoryFull();
  return bytes;
}

/** Bytes and text are as they were sent; a value of JSON or of a form is written again. Undefined for anything else. */
function bytesOf(body: unknown, contentType: string): Uint8Array | undefined {
  if (body === undefined || typeof body === 'function') return undefined;
  if (body instanceof Uint8Array) return body;
  if (typeof body === 'string') return Buffer.from(body);
  const isForm = /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType);
  if (isForm && isRecord(body)) return Buffer.from(new URLSearchParams(pairsOf(body)).toString());
  // A parser of forms with files keeps the fields only, and an empty object may be the one that Express 4 sets.
  const isLossy = /^multipart\//i.test(contentType) || (isRecord(body) && Object.keys(body).length === 0);
  return isLossy && !isJson(contentType) ? undefined : Buffer.from(JSON.stringify(body));
}

const isJson = (contentType: string): boolean => /^[^;]*[/+]json\b/i.test(contentType);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list of texts repeats its name; a member of an object has the name of the object in front, as `a[b]`. */
function pairsOf(value: unknown, name = ''): [name: string, value: string][] {
  if (Array.isArray(value)) return value.flatMap((entry) => pairsOf(entry, isRecord(entry) ? `${name}[]` : name));
  if (!isRecord(value)) return [[name, String(value ?? '')]];
  return Object.entries(value).flatMap(([key, member]) => pairsOf(member, name === '' ? key : `${name}[${key}]`));
}

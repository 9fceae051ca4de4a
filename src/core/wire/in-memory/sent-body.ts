/** Turns the members of the Web's `RequestInit` into the headers and the body of a request that is sent in memory. */
import { Readable } from 'node:stream';

/** What a request has beside its target: members of the Web's `RequestInit`, and `json`. */
export interface SentRequest {
  /** `GET` unless given, with a body too. */
  readonly method?: string;
  readonly headers?: RequestInit['headers'];
  /** A text, bytes, `FormData`, `URLSearchParams`, a `Blob`, or a stream, which is sent in chunks. */
  readonly body?: RequestInit['body'] | Readable;
  /** Sent as JSON in place of `body`. */
  readonly json?: unknown;
  /** The client leaves when it is aborted. */
  readonly signal?: AbortSignal | null;
}

interface Sendable {
  readonly headers: Headers;
  readonly body: Uint8Array | Readable | undefined;
}

/** The headers and the body. Rejects with a `TypeError` for `json` beside `body` and for a header that none can be. */
export async function sentBody({ headers: given, body, json }: SentRequest): Promise<Sendable> {
  const headers = new Headers(given);
  if (json !== undefined) {
    if (body !== undefined && body !== null)
      throw new TypeError('Cannot send a request with both json and body: give one of them');
    return { headers, body: withLength(headers, Buffer.from(JSON.stringify(json)), 'application/json') };
  }
  if (body === undefined || body === null) return { headers, body: undefined };
  if (isStream(body)) {
    if (!headers.has('Content-Length')) headers.set('Transfer-Encoding', 'chunked');
    return { headers, body: Readable.from(body) };
  }
  const made = new Response(body);
  const bytes = Buffer.from(await made.arrayBuffer());
  return { headers, body: withLength(headers, bytes, made.headers.get('Content-Type')) };
}

const isStream = (body: object | string): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && Symbol.asyncIterator in body;

/** Adds the length and the type of the bytes unless the headers have them. Returns the bytes. */
function withLength(headers: Headers, bytes: Uint8Array, type: string | null): Uint8Array {
  if (!headers.has('Content-Length')) headers.set('Content-Length', String(bytes.length));
  if (type !== null && !headers.has('Content-Type')) headers.set('Content-Type', type);
  return bytes;
}

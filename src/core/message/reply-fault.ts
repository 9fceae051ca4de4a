/** Decides whether a reply can be sent, and names the fault and the remedy where it cannot. */
import { Readable } from 'node:stream';
import { article, quoted } from '../options/assert-options.ts';
import type { Reply } from './context.ts';
import { headerFault } from './headers/reply-headers.ts';
import { flat, UNWRITTEN } from './replies.ts';

/**
 * The fault of a reply to this method, in words that follow its maker; undefined for a valid reply. Only a stage has
 * `next`, so a handler is not told of it.
 */
export function replyFault(reply: unknown, method: string, isStage = false): string | undefined {
  if (reply === undefined || reply === null)
    return isStage
      ? 'returned nothing; return a reply, or what "next(context)" returns'
      : 'returned nothing; return a reply such as text(…), json(…) or empty()';
  if (typeof reply !== 'object') return `returned ${article(typeof reply)}, not a reply; wrap it in text(…) or json(…)`;
  if ('then' in reply) return 'returned a thenable that is no Promise; await it, or wrap it in Promise.resolve(…)';
  const { status, headers, body } = reply as Reply;
  if (!Number.isInteger(status) || status < 200 || status > 599)
    return `returned a reply with the status ${quoted(status)}; give a whole number from 200 to 599`;
  if (typeof headers !== 'object' || headers === null)
    return 'returned a reply without headers; ok(…) and other answers belong to operations: use text(…) or json(…), or give headers: {}';
  if (isWebResponse(reply))
    return 'returned a Response of the Web; return json(await response.json()), or { status, headers, body }';
  // True of a Map and of fetch's Headers. Node loads fetch when the class Headers is named.
  if (Symbol.iterator in headers && !Array.isArray(headers))
    return 'returned its headers as a Map; write Object.fromEntries(headers)';
  return headersFault(reply as Reply, method) ?? bodyFault(body, status);
}

/** Node loads fetch when the class `Response` is named. */
const isWebResponse = (reply: object): boolean => Object.prototype.toString.call(reply) === '[object Response]';

function headersFault(reply: Reply, method: string): string | undefined {
  const lines = flat(reply.headers);
  if (lines.length % 2 !== 0) return 'returned a list of headers of odd length; give a value behind each name';
  let length: string | undefined;
  for (let at = 0; at < lines.length; at += 2) {
    const name = lines[at]!;
    const value = lines[at + 1]!;
    const fault = headerFault(name, value);
    if (fault !== undefined) return `returned ${fault}`;
    if (!isContentLength(name)) continue;
    if (length !== undefined)
      return 'returned two Content-Length headers; give none: text(…) and json(…) add it, and so does the server';
    if (!/^\d{1,15}$/.test(value)) return `returned the Content-Length ${quoted(value)}; leave it out and it is added`;
    length = value;
  }
  return length === undefined ? undefined : lengthFault(reply, Number(length), method);
}

/** Does this header name, in any case, read `Content-Length`? */
export const isContentLength = (name: string): boolean =>
  name.length === 14 && (name === 'Content-Length' || name.toLowerCase() === 'content-length');

/** A reply to HEAD may give the length of the body that GET has. A 304 is sent without the header. */
function lengthFault({ status, body }: Reply, length: number, method: string): string | undefined {
  if (status === 204)
    return 'returned a 204 with a Content-Length; a 204 has no body: use empty(), or leave the header out (RFC 9110 §8.6)';
  if (status === 304) return undefined;
  const bytes = bodyLength(body);
  if (bytes === undefined || bytes === length || (body === undefined && method === 'HEAD')) return undefined;
  return `returned the Content-Length ${length} for a body of ${bytes} bytes; leave the header out and it is added`;
}

/** In bytes; undefined for a stream, which is counted while it is sent. */
function bodyLength(body: Reply['body']): number | undefined {
  if (body === undefined) return 0;
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.length;
  if (!Array.isArray(body)) return undefined;
  return (body as readonly Uint8Array[]).reduce((sum, chunk) => sum + chunk.length, 0);
}

function bodyFault(body: unknown, status: number): string | undefined {
  if (body === undefined) return undefined;
  if (body === UNWRITTEN)
    return 'returned json(…) or text(…) of undefined or another value that is no text; give null or a text, or return empty()';
  const isText = typeof body === 'string' || body instanceof Uint8Array;
  if ((status === 204 || status === 205) && !(isText && body.length === 0))
    return `returned a ${status} with a body; leave it out, or answer 200`;
  if (isText) return undefined;
  if (body instanceof Readable) {
    return body.destroyed || body.readableEnded || body.readableDidRead || body.errored !== null
      ? 'returned a stream that has ended, failed or was read from before; make a new one for each reply'
      : undefined;
  }
  if (!Array.isArray(body))
    return `returned ${body === null ? 'null' : article(typeof body)} as a body; give a text, bytes or a stream, or use json(…)`;
  const wrong = body.findIndex((chunk) => !(chunk instanceof Uint8Array));
  if (wrong < 0) return undefined;
  return `returned a list of chunks with ${article(typeof body[wrong])} in it; give each chunk as bytes`;
}

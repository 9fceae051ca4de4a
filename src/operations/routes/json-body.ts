/**
 * Reads the JSON body of a request and validates it: from bytes to the value that the schema of the operation allows
 * (D3).
 *
 * It runs after the match, so the body of a request that no route matches is not read. No bytes, or the JSON literal
 * `null`, is an absent body: 400 whatever its media type.
 */
import type { Context } from '../../core/message/context.ts';
import { isJsonType, parseContentType } from '../../core/message/headers/content-type.ts';
import { HttpProblem } from '../../core/message/problem.ts';
import type { Violation } from '../../core/message/reply.ts';
import { isOwnBody, type OwnBody, ownBody } from '../operation/own-body.ts';
import { bodyValidator } from '../schema/judge.ts';
import type { PropertyNaming } from '../schema/names.ts';
import type { Schema } from '../schema/schema.ts';

const MERGE_PATCH = 'application/merge-patch+json';
/** Skips a byte order mark (D3). */
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the value of the body. Rejects with an `HttpProblem`: 400 with every violation and its place, 408, 413, 415 or
 * 503.
 */
export async function readJsonBody(context: Context, read: ReturnType<typeof bodyValidator>): Promise<unknown> {
  const { headers, method } = context;
  const fault = mediaTypeFault(context);
  // A client that waits for 100 Continue gets the refusal before it sends the body.
  if (fault !== undefined && headers.expect !== undefined && announcesBody(context))
    throw refusedMediaType(method, fault);
  const bytes = await context.body();
  if (fault !== undefined && !isAbsent(bytes)) throw refusedMediaType(method, fault);
  const text = fault === undefined ? decode(bytes) : '';
  if (text === '') throw new HttpProblem(400, 'The request has no body; send the item as JSON');
  const value = parse(text);
  if (value === null) throw new HttpProblem(400, 'The body is null; send the item as JSON');
  const result = read(value, text);
  if (result.errors !== undefined) throw refused(result.errors);
  return result.value;
}

/** What is wrong with the media type; undefined for JSON in UTF-8. */
function mediaTypeFault({ method, headers: { 'content-type': text } }: Context): string | undefined {
  if (text === undefined) return 'The request has no Content-Type; send the body with Content-Type: application/json';
  const contentType = parseContentType(text);
  if (contentType === undefined)
    return 'The Content-Type cannot be read; send the body with Content-Type: application/json';
  const { type, parameters } = contentType;
  if (!isJson(type)) return 'The body is not JSON; send it with Content-Type: application/json';
  if (type === MERGE_PATCH && method === 'PATCH')
    return 'PATCH stores the body whole and is no merge patch; send it with Content-Type: application/json';
  const hasOtherCharset = parameters.some(([name, value]) => name === 'charset' && !/^utf-?8$/i.test(value));
  return hasOtherCharset ? 'The body is not in UTF-8, the only charset of JSON' : undefined;
}

/** Is it `application/json`, `text/json` or `application/*+json` (D3)? Of a media type in lower case. */
export const isJson = (type: string): boolean =>
  type === 'text/json' || (type.startsWith('application/') && isJsonType(type));

/** No bytes or `null`, a byte order mark in front of it skipped: absent whatever its media type. */
const isAbsent = (bytes: Uint8Array): boolean =>
  bytes.length < 1024 && ABSENT.test(Buffer.from(bytes).toString('latin1'));
const ABSENT = /^(?:\xef\xbb\xbf)?(?:[ \t\r\n]*null[ \t\r\n]*)?$/;

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw refused([{ pointer: '', detail: 'The body is not valid UTF-8' }]);
  }
}

/** The end of V8's message. The text before it may quote the body. */
const POSITION = / at position (\d+)(?: \(line \d+ column \d+\))?$/;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const at = POSITION.exec(String(error))?.[1];
    const place = at === undefined ? '' : `: see character ${Number(at) + 1}`;
    throw refused([{ pointer: '', detail: `The body is not valid JSON${place}` }]);
  }
}

const refused = (errors: readonly Violation[]): HttpProblem =>
  new HttpProblem(400, 'The body is not what this operation takes', { errors });

/**
 * Returns the reader of the declared bodies, which rejects with an `HttpProblem`. Throws for a schema that cannot be
 * compiled.
 */
export function bodyReader(declared: Schema | OwnBody, naming: PropertyNaming): (context: Context) => Promise<unknown> {
  if (isOwnBody(declared)) return declared[ownBody].reader(declared, naming);
  const validate = bodyValidator(declared, naming);
  return (context) => readJsonBody(context, validate);
}

/** The problem for a media type or a charset that is not read. `method` is that of the request. */
export function refusedMediaType(method: string, detail: string, accepted = 'application/json'): HttpProblem {
  // RFC 5789 §3.1.
  const ofPatch = method === 'PATCH' && { 'Accept-Patch': accepted };
  return new HttpProblem(415, detail, { headers: { Accept: accepted, ...ofPatch } });
}

const declared = (description: string) => ({ type: 'string', description }) as const;
const patchHeaders = { 'Accept-Patch': declared('The media types of a patch that the operation reads') };

/** What the 415 of an operation with a body may carry. The reading of the body sends `Accept-Encoding`. */
export const refusedMediaTypeHeaders = (method: string) => ({
  Accept: declared('The media types that the operation reads; present if the body has another'),
  ...(method === 'PATCH' && patchHeaders),
  'Accept-Encoding': declared('The content codings that the service reads; present if the body has another'),
});

/** A request without `Content-Length` and `Transfer-Encoding` has no body (RFC 9112 §6.3), whatever it expects. */
export const announcesBody = ({ headers }: Context): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

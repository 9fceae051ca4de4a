/**
 * Reads, parses and validates the JSON body of a request (D3).
 *
 * This runs after a route is matched, so the body of a request without a matching route is not read. An empty body and
 * the JSON literal `null` are treated as an absent body, which is refused with 400 for every media type.
 */
import type { Context } from '../../core/http/context.ts';
import { isJsonType, otherCharset, parseContentType } from '../../core/http/headers/content-type.ts';
import type { Violation } from '../../core/http/problem.ts';
import { HttpProblem } from '../../core/http/problem.ts';
import { isOwnBody, type OwnBody, ownBody } from '../operation/own-body.ts';
import type { PropertyNaming } from '../schema/names.ts';
import { uncheckedValidator } from '../schema/read-value.ts';
import type { Schema } from '../schema/schema.ts';

/** Not read as JSON: these patches have another meaning than the body of an operation (RFC 7396, RFC 6902, D39). */
const PATCHES = ['application/merge-patch+json', 'application/json-patch+json'];
/** Decodes UTF-8, without a byte order mark (D3). */
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns a function that reads the declared body. It rejects with an `HttpProblem`: 400 with a pointer for each error,
 * 408, 413, 415 or 503. Throws for an invalid schema.
 */
export function bodyReader(declared: Schema | OwnBody, naming: PropertyNaming): (context: Context) => Promise<unknown> {
  if (isOwnBody(declared)) return declared[ownBody].reader(declared, naming);
  const validate = uncheckedValidator(declared, naming);
  return async function readJsonBody(context) {
    const { headers, method } = context;
    const fault = headers['content-type'] === 'application/json' ? undefined : mediaTypeFault(context);
    // A client that waits for `100 Continue` gets the 415 before it sends the body.
    if (fault !== undefined && headers.expect !== undefined && announcesBody(context))
      throw refusedMediaType(method, fault);
    const bytes = await context.body();
    if (fault !== undefined && !isAbsent(bytes)) throw refusedMediaType(method, fault);
    if (fault !== undefined) throw noJsonBody();
    const { value, errors } = validate(parsed(bytes));
    if (errors !== undefined) throw refused(errors);
    return value;
  };
}

const noJsonBody = (): HttpProblem => new HttpProblem(400, 'The request has no body; send the item as JSON');

function mediaTypeFault({ method, headers: { 'content-type': text } }: Context): string | undefined {
  if (text === undefined) return 'The request has no Content-Type; send the body with Content-Type: application/json';
  const contentType = parseContentType(text);
  if (contentType === undefined)
    return 'The Content-Type is malformed; send the body with Content-Type: application/json';
  const { type } = contentType;
  if (!isJson(type)) return 'The body is not JSON; send it with Content-Type: application/json';
  if (PATCHES.includes(type) && method === 'PATCH')
    return 'PATCH stores the whole body and applies no patch; send it with Content-Type: application/json';
  return otherCharset(contentType) !== undefined ? 'The body is not in UTF-8, the only charset of JSON' : undefined;
}

/** True for `application/json`, `text/json` and `application/*+json` (D3). Expects lower case. */
export const isJson = (type: string): boolean =>
  type === 'text/json' || (type.startsWith('application/') && isJsonType(type));

/** True if the body has no bytes or is `null`. A byte order mark is ignored. */
const isAbsent = (bytes: Uint8Array): boolean =>
  bytes.length < 1024 && ABSENT.test(Buffer.from(bytes).toString('latin1'));
const ABSENT = /^(?:\xef\xbb\xbf)?(?:[ \t\r\n]*null[ \t\r\n]*)?$/;

/** Matches the position at the end of V8's message. The rest is not used, because it may quote the body. */
const POSITION = / at position (\d+)(?: \(line \d+ column \d+\))?$/;

/** Parses a body. Throws an `HttpProblem` 400 if it is not JSON in UTF-8, or is absent. */
function parsed(bytes: Uint8Array): unknown {
  let text: string | undefined;
  let value: unknown;
  try {
    text = decoder.decode(bytes);
    value = JSON.parse(text);
  } catch (error) {
    if (text === '') throw noJsonBody();
    const at = POSITION.exec(String(error))?.[1];
    const place = at === undefined ? '' : `: see character ${Number(at) + 1}`;
    const detail = `The body is not valid ${text === undefined ? 'UTF-8' : `JSON${place}`}`;
    throw refused([{ pointer: '', detail, keyword: 'json' }]);
  }
  if (value === null) throw new HttpProblem(400, 'The body is null; send the item as JSON');
  return value;
}

const refused = (errors: readonly Violation[]): HttpProblem =>
  new HttpProblem(400, 'The body does not match its schema', { errors });

export function refusedMediaType(method: string, detail: string, accepted = 'application/json'): HttpProblem {
  // RFC 5789 §3.1.
  const ofPatch = method === 'PATCH' && { 'Accept-Patch': accepted };
  return new HttpProblem(415, detail, { headers: { Accept: accepted, ...ofPatch } });
}

const declared = (description: string) => ({ type: 'string', description }) as const;
const patchHeaders = { 'Accept-Patch': declared('The media types of a patch that the operation reads') };

/**
 * Returns the headers that the 415 of an operation with a body may have. They are declared, but may be absent (D56).
 */
export const refusedMediaTypeHeaders = (method: string) => ({
  Accept: declared('The media types that the operation reads; present if the body has another'),
  ...(method === 'PATCH' && patchHeaders),
  'Accept-Encoding': declared('The content codings that the service reads; present if the body has another'),
});

/** True for a request with a body: it has `Content-Length` or `Transfer-Encoding` (RFC 9112 §6.3). */
export const announcesBody = ({ headers }: Context): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

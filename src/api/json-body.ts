/**
 * The step between the route and the operation: bytes to the value that the operation's schema lets pass (D3).
 *
 * It stands behind the match on purpose: reading a body for a request that no route wants is work for whoever sends one.
 * No bytes, or the JSON literal `null`, is an absent body and 400 whatever its media type; only what is there can be
 * of a wrong one.
 */
import type { Context } from '../http/context.ts';
import { HttpProblem, type Violation } from '../http/problem.ts';
import type { BodyReader } from './validate.ts';

const JSON_TYPE = /^\s*(?:application\/json|text\/json|application\/[\w!#$&^.+-]+\+json)\s*(?:;(.*))?$/i;
const CHARSET = /^\s*charset\s*=\s*"?([^\s"]*)"?\s*$/i;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Reads and judges the body. Rejects with an `HttpProblem`: 400 with what is wrong and where, 408, 413 or 415. */
export function readJsonBody<Body>(context: Context, read: BodyReader<Body>): Promise<Body> {
  // Whoever waits for 100 Continue is told before the body is sent, not after.
  if (context.headers.expect !== undefined && context.headers['content-length'] !== '0') {
    const fault = mediaTypeFault(context.headers['content-type']);
    if (fault !== undefined) return Promise.reject(fault);
  }
  return context.body().then((bytes) => judge(bytes, context.headers['content-type'], read));
}

function judge<Body>(bytes: Uint8Array, contentType: string | undefined, read: BodyReader<Body>): Body {
  const fault = contentType === 'application/json' ? undefined : mediaTypeFault(contentType);
  const text = fault === undefined ? decode(bytes) : undefined;
  if (bytes.length === 0 || text === '' || (fault !== undefined && isAbsent(bytes))) {
    throw new HttpProblem(400, 'The request has no body; send the item as JSON');
  }
  if (text === undefined) throw fault!;
  const value = parse(text);
  if (value === null) throw new HttpProblem(400, 'The body is null; send the item as JSON');
  const { errors, value: body } = read(value, text);
  if (errors !== undefined) throw refused(errors);
  return body;
}

/** What is wrong with a media type, or undefined for JSON in UTF-8. */
function mediaTypeFault(contentType: string | undefined): HttpProblem | undefined {
  const parameters = contentType === undefined ? null : JSON_TYPE.exec(contentType);
  if (parameters === null) {
    const detail = 'The body is not JSON; send it with Content-Type: application/json';
    return new HttpProblem(415, detail, { headers: { Accept: 'application/json' } });
  }
  for (const parameter of parameters[1]?.split(';') ?? []) {
    const charset = CHARSET.exec(parameter)?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
      return new HttpProblem(415, 'The body is not in UTF-8, the only charset of JSON');
    }
  }
  return undefined;
}

/** Nothing or `null`, a byte order mark in front of it skipped as everywhere: absent whatever its media type. */
const isAbsent = (bytes: Uint8Array): boolean => bytes.length < 1024 && ABSENT.test(Buffer.from(bytes).toString('latin1'));
const ABSENT = /^(?:\xef\xbb\xbf)?(?:[ \t\r\n]*null[ \t\r\n]*)?$/;

function decode(bytes: Uint8Array): string {
  try {
    // Skips a byte order mark.
    return decoder.decode(bytes);
  } catch {
    throw refused([{ pointer: '', detail: 'The body is not valid UTF-8' }]);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec(String(error))?.[1];
    const place = at === undefined ? '' : `: see character ${Number(at) + 1}`;
    throw refused([{ pointer: '', detail: `The body is not valid JSON${place}` }]);
  }
}

const refused = (errors: readonly Violation[]): HttpProblem =>
  new HttpProblem(400, 'The body is not what this operation takes', { errors });

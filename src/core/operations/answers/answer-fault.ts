/** Decides whether what a handler returned is an answer that a reply can be made of. */
import { Readable } from 'node:stream';
import { contentTypeOf } from '../../message/headers/content-type.ts';
import { headerFault } from '../../message/headers/reply-headers.ts';
import { article, quoted } from '../../options/assert-options.ts';
import type { Answer } from '../operation/answers.ts';
import type { Responses } from '../operation/response.ts';

/** These follow from the body, so a handler may give them only with a body that it has made itself. */
const CONTENT: ReadonlySet<string> = new Set(['content-length', 'content-type']);

/**
 * What is wrong with the answer and what to do about it, as the rest of a sentence after "returned"; undefined for a
 * valid one.
 */
export function answerFault(answer: Answer, responses: Responses): string | undefined {
  if (typeof answer !== 'object' || answer === null) {
    return `${answer === undefined ? 'nothing' : article(typeof answer)}; return ok(…), noContent() or another answer`;
  }
  const { status, body, headers } = answer;
  if (!(status >= 200 && status <= 599) || status % 1 !== 0) {
    return `the status ${quoted(status)}; use ok(…) or another answer`;
  }
  if (body !== undefined && (status === 204 || status === 304)) {
    return `a ${status} with a body; leave it out, or answer 200`;
  }
  return headers === undefined ? undefined : headersFault(answer, headers, responses);
}

function headersFault(
  { status, body }: Answer,
  headers: Readonly<Record<string, string>>,
  responses: Responses,
): string | undefined {
  for (const name in headers) {
    const value = headers[name]!;
    const fault = headerFault(name, value);
    if (fault !== undefined) return fault;
    const lower = name.toLowerCase();
    if (!CONTENT.has(lower)) continue;
    // Only of a stream the length is not known.
    if (lower === 'content-length' && body instanceof Readable) continue;
    const mediaType = lower === 'content-type' ? responses[status]?.mediaType : undefined;
    if (mediaType === undefined) return `the header ${name}, which follows from the body; leave it out`;
    const declared = contentTypeOf(mediaType);
    if (value !== declared)
      return `a ${status} of the type ${quoted(value)}, but it declares ${quoted(declared)}; give the one or declare the other`;
  }
  return undefined;
}

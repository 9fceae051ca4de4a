/** Decides whether what a handler returned is an answer that a reply can be made of. */
import { Readable } from 'node:stream';
import { article, headerFault, quoted } from '../../http/headers/header-fault.ts';
import type { Answer } from '../operation/answers.ts';

/** These follow from the body, so a handler may not give them. */
const CONTENT: ReadonlySet<string> = new Set(['content-length', 'content-type']);

/**
 * What is wrong with the answer and what to do about it, as the rest of a sentence after "returned"; undefined for a
 * valid one.
 */
export function answerFault(answer: Answer): string | undefined {
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
  return headers === undefined ? undefined : headersFault(headers, body instanceof Readable);
}

/** Only of a stream the length is not known. */
function headersFault(headers: Readonly<Record<string, string>>, isStream: boolean): string | undefined {
  for (const name in headers) {
    const fault = headerFault(name, headers[name]);
    if (fault !== undefined) return fault;
    if (CONTENT.has(name.toLowerCase()) && !(isStream && /^content-length$/i.test(name)))
      return `the header ${name}, which follows from the body; leave it out`;
  }
  return undefined;
}

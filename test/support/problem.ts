/** Checks the headers and members that every problem has (D10). */
import assert from 'node:assert/strict';
import { statusText } from '../../src/core/http/headers/header-lines.ts';
import type { Problem } from '../../src/core/http/problem.ts';
import type { Answer } from './ask.ts';

/** Checks the headers that every reply has, such as the security headers (D10). */
export function assertCommonHeaders({ headers, status }: Answer): void {
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
  assert.match(headers['x-request-id'] ?? '', /^[\w.~:/+=@-]{1,128}$/);
  assert.ok(
    Math.abs(Date.parse(headers['date'] ?? '') - Date.now()) < 10_000,
    `Date of a ${status}: ${headers['date']}`,
  );
}

/** Checks that the answer is a complete problem with this status, and returns the problem. */
export function assertProblem(answer: Answer, status: number): Problem {
  const problem = assertParserProblem(answer, status);
  assert.equal(typeof problem.instance, 'string');
  return problem;
}

/** Does the same for a request that the parser may have refused. Such a problem has no `instance`. */
export function assertParserProblem(answer: Answer, status: number): Problem {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.reason, statusText(status));
  assert.equal(answer.headers['content-type'], 'application/problem+json');
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.equal(answer.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
  assertCommonHeaders(answer);
  const { type, title, detail, instance, requestId, errors, ...more } = answer.json() as Problem;
  assert.equal(type, 'about:blank');
  assert.equal(title, statusText(status));
  assert.deepEqual(more, { status });
  assert.equal(requestId, answer.headers['x-request-id']);
  assert.ok(typeof detail === 'string' && detail !== '');
  assert.doesNotMatch(
    answer.text,
    /node:|\.ts\b|\.js\b|\bE(?:NOENT|ACCES|PERM|MFILE|NOTDIR|ISDIR|LOOP|CONNRESET|PIPE|INVAL)\b|\bERR_|\bHPE_|\bat \w+ \(/,
    'a stack trace, a path or an error code',
  );
  return { type, title, status, detail, instance, requestId, ...(errors && { errors }) };
}

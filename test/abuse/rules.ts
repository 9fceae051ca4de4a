/** What every answer must have, whatever was asked: the names of its faults, none for a good one. */
import type { Answer } from './answers.ts';

/** Statuses that a request can bring about by itself. Of the others each is a bug. */
const FITTING = new Set([200, 201, 204, 206, 304, 400, 404, 408, 412, 413, 414, 415, 416, 417, 431, 501, 505, 507]);
/** A problem of the parser has no `instance`. */
const MEMBERS = ['type', 'title', 'status', 'detail', 'requestId'];

/** The faults of an answer. 503 is one unless the service is full or stops. */
export function faultsOf(answer: Answer, busy = false): readonly string[] {
  const { status, headers } = answer;
  const faults: string[] = [];
  if (!FITTING.has(status) && !(busy && status === 503)) faults.push(`status ${status}`);
  if (!headers.get('x-request-id')) faults.push(`${status} without X-Request-Id`);
  if (headers.get('x-content-type-options') !== 'nosniff') faults.push(`${status} without nosniff`);
  if (Number.isNaN(Date.parse(headers.get('date') ?? ''))) faults.push(`${status} without Date`);
  if (status >= 400) faults.push(...problemFaults(answer));
  return faults;
}

function problemFaults({ status, headers, body }: Answer): string[] {
  if (headers.get('content-type') !== 'application/problem+json')
    return [`${status} as ${headers.get('content-type')}`];
  // To a HEAD.
  if (body.length === 0) return [];
  let problem: Record<string, unknown>;
  try {
    problem = JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    return [`${status} with a body that is no JSON`];
  }
  const faults = MEMBERS.filter((name) => problem[name] === undefined || problem[name] === '').map(
    (name) => `${status} without ${name}`,
  );
  if (problem['status'] !== status) faults.push(`${status} that says ${String(problem['status'])}`);
  if (problem['requestId'] !== headers.get('x-request-id')) faults.push(`${status} with two request ids`);
  if (/node:internal|\.[jt]s:\d/.test(body.toString())) faults.push(`${status} that tells of the inside`);
  return faults;
}

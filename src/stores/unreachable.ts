/** Makes what a client is told of a store that cannot be reached or has no room, and declares it (D44). */
import type { Responses } from '../api/operation/response.ts';
import { HttpProblem } from '../http/message/problem.ts';

/** A 503 with the time after which a client may try again. */
export const unreachable = (detail: string, seconds: number): HttpProblem =>
  new HttpProblem(503, detail, { headers: { 'Retry-After': String(seconds) } });

const headers = { 'Retry-After': { type: 'integer', description: 'Seconds to wait before the next try' } } as const;

/** The responses of an operation over such a store. The 507 of the other methods is declared by the operations. */
export const storeResponses = (method: string): Responses => ({
  503: { description: 'If the store cannot be reached', headers },
  ...(method === 'DELETE' && { 507: { description: 'If the store is full', headers } }),
});

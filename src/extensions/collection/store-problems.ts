/** Makes what a client is told of a store that cannot be reached or has no room, and declares it (D44). */

import { HttpProblem, type Responses } from '../../index.ts';

/** A 503 with the time after which a client may try again. */
export const unreachable = (detail: string, seconds: number): HttpProblem =>
  new HttpProblem(503, detail, { headers: { 'Retry-After': String(seconds) } });

/** A 507 for a change that is no addition: those are answered by the operations themselves. */
export const noRoom = (detail: string): HttpProblem =>
  new HttpProblem(507, detail, { headers: { 'Retry-After': '60' } });

const headers = { 'Retry-After': { type: 'integer', description: 'Seconds to wait before the next try' } } as const;

/** What every operation over such a store may answer. */
export const UNREACHABLE: Responses = { 503: { description: 'If the store cannot be reached', headers } };
/** What removing an item may answer where that takes room. */
export const NO_ROOM: Responses = { 507: { description: 'If the store is full', headers } };

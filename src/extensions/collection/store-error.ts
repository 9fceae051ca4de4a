/** The errors of stores: one that cannot be opened, that cannot be reached, or that is full. */
import { HttpProblem, type Responses } from '../../index.ts';

/** One line for the user, and the exit code of the process (D32). */
export class StoreError extends Error {
  /** 1 where a restart may help, 2 where a setting or the machine has to change first. */
  readonly exitCode: 1 | 2;

  /** `what` is the store as messages name it; `cause` says what is wrong and what to do about it. */
  constructor(what: string, cause: string, exitCode: 1 | 2, reason?: unknown) {
    super(`Cannot keep items in ${what}: ${cause}`, { cause: reason });
    this.name = 'StoreError';
    this.exitCode = exitCode;
  }
}

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

/** The error of a store that has no room for an item, thrown before anything changes. */
export class CollectionFull extends Error {}

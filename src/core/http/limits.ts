/** Defines the limits of requests, replies and connections, with the status that a client gets beyond each limit. */
import { assertOptions } from '../options/assert-options.ts';

const KiB = 1024;
const MiB = 1024 * KiB;
const second = 1000;

/**
 * Sizes are in bytes, times in milliseconds. The number after a colon is the status beyond the limit. If you raise
 * `maxBody`, the default of `maxBodyMemory` rises too.
 */
const DEFAULTS = {
  /** The length of the path: 414. */
  maxPath: 8 * KiB,
  /** The length of the request line and the header lines together: 431. */
  maxHeaderBytes: 16 * KiB,
  /** The length of a body, before and after decoding: 413 (D3). */
  maxBody: MiB,
  /** The time for the head of a request: 408. */
  headTimeout: 15 * second,
  /** The time for a whole request; for each pause of a streamed body (D74): 408. */
  requestTimeout: 30 * second,
  /**
   * The memory of all request bodies together, encoded and decoded: 503 for a further body (D49). Also the unsent bytes
   * of the replies of all connections together: beyond them, the connection that holds most is closed (D50).
   */
  maxBodyMemory: 64 * MiB,
  /** The time for a handler to reply, or to read more of a streamed body; checked once a second: 503 (D48). */
  handlerTimeout: 30 * second,
  /** The connection of a client that reads nothing of its reply for this time is closed (D50). */
  writeTimeout: 30 * second,
  /** A connection without a request is closed after this time (D51). */
  idleTimeout: 72 * second,
  /** The number of open connections: 503 for a further connection. */
  maxConnections: 10_000,
  /** The time in which an unread body is discarded, so that its sender can read the reply (D40). */
  drainTimeout: 5 * second,
};

/**
 * The longest decoded segment of a path, in UTF-16 code units: 414 before any constraint runs (D31). Even a regular
 * expression that takes quadratic time is fast at this length (D37).
 */
export const MAX_SEGMENT = 2048;

/** The maximum number of header lines: 431. Browsers send fewer than 40. */
export const MAX_HEADER_LINES = 100;

/** The limits by name. Sizes are in bytes, times in milliseconds. */
export type Limits = { readonly [Name in keyof typeof DEFAULTS]: number };

/** The default limits. */
export const LIMITS: Limits = DEFAULTS;

/** The longest delay of a Node timer, in milliseconds. */
export const MAX_TIMER = 2 ** 31 - 1;

/** The interval of the checks of `handler-time.ts`, in milliseconds. A handler cannot have a shorter time limit. */
export const TICK_MS = 1000;

/**
 * Returns the default limits with these changes. Throws a `TypeError` for an unknown limit, and a `RangeError` for a
 * value that is not a number of 0 or more, and for two limits that contradict each other.
 */
export function limitsFrom(changes: { readonly [Name in keyof Limits]?: number | undefined }): Limits {
  const names = Object.keys(DEFAULTS) as (keyof Limits)[];
  assertOptions('use the limits', changes, names);
  const limits = { ...DEFAULTS };
  for (const name of names) {
    const value: unknown = changes[name];
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value >= 0))
      throw unusable(name, value, 'it is not a number of 0 or more; correct it, or leave it out');
    if (name.endsWith('Timeout') && value > MAX_TIMER) throw unusable(name, value, `the maximum is ${MAX_TIMER} ms`);
    limits[name] = value;
  }
  const { maxBody, headTimeout, requestTimeout, handlerTimeout } = limits;
  if (handlerTimeout < TICK_MS)
    throw unusable('handlerTimeout', handlerTimeout, `it is checked once a second; use ${TICK_MS} ms or more`);
  // These defaults depend on other limits.
  if (changes.maxBodyMemory === undefined)
    limits.maxBodyMemory = Math.max(LIMITS.maxBodyMemory, memoryFor(2 * maxBody));
  if (changes.headTimeout === undefined) limits.headTimeout = Math.min(headTimeout, requestTimeout);
  if (changes.requestTimeout === undefined) limits.requestTimeout = Math.max(limits.headTimeout, requestTimeout);
  if (limits.maxBodyMemory < memoryFor(maxBody)) {
    const why =
      'one body of that size, encoded and decoded, does not fit into maxBodyMemory ' +
      `"${limits.maxBodyMemory}"; raise that to ${memoryFor(maxBody)}, or leave it out`;
    throw unusable('maxBody', maxBody, why);
  }
  if (limits.headTimeout > limits.requestTimeout) {
    const why = `the whole request has less time, requestTimeout "${requestTimeout}"; raise that, or leave it out`;
    throw unusable('headTimeout', headTimeout, why);
  }
  return limits;
}

const unusable = (name: string, value: unknown, why: string): RangeError =>
  new RangeError(`Cannot use the limit ${name} "${String(value)}": ${why}`);

/** Returns the memory of one body in bytes: encoded, decoded, and the overhead of its chunks. */
export const memoryFor = (maxBody: number): number => 2 * maxBody + 64 * KiB;

/** Returns the longest body that fits into `maxBodyMemory`, in bytes. Its value takes `copies` times its length. */
export const longestBody = ({ maxBodyMemory }: Limits, copies: number): number =>
  Math.floor((maxBodyMemory - memoryFor(0)) / (2 + copies));

/** Decides how much one client may ask of the service. Each limit has a status of its own; none of them is a 500. */
import { assertNamed } from '../../options/assert-options.ts';

const KiB = 1024;
const MiB = 1024 * KiB;
const second = 1000;

/** Sizes are in bytes, times in milliseconds. `maxBodyMemory` grows so that a form of a given `maxBody` fits. */
const DEFAULTS = {
  /** The path of a request: 414. */
  maxPath: 8 * KiB,
  /** Request line and header lines together: 431. */
  maxHeaderBytes: 16 * KiB,
  /** A body, as it is sent and as it is decoded: 413 (D3). */
  maxBody: MiB,
  /** Time for the head of a request: 408. */
  headTimeout: 15 * second,
  /** Time for a request as a whole, head and body, but for a body that is streamed (D74): 408. */
  requestTimeout: 30 * second,
  /** The minimum rate of a body in bytes a second, checked after `bodyRateGrace`: 408. */
  minBodyRate: 240,
  bodyRateGrace: 5 * second,
  /** Bytes of bodies in memory, all requests together, decoded ones included: 503 for a further body (D49). */
  maxBodyMemory: 64 * MiB,
  /** Time for a handler to reply once the body is in, or to take more of a stream, checked once a second: 503 (D48). */
  handlerTimeout: 30 * second,
  /** A client that takes nothing of its reply for this time is cut. */
  writeTimeout: 30 * second,
  /** The minimum rate of a reader in bytes a second, over each `writeTimeout` in which bytes wait for it (D50). */
  minReplyRate: 240,
  /** A connection without a request is closed after this time (D51). */
  idleTimeout: 72 * second,
  /** Open connections: 503 for a further one. */
  maxConnections: 10_000,
  /** How long an unwanted body is read so that its sender can read the reply (D40). */
  drainTimeout: 5 * second,
};

/**
 * The longest decoded segment of a path in UTF-16 code units, checked before any constraint sees it: 414 (D31). An
 * expression of degree 2 stays cheap on a segment of this length (D37).
 */
export const MAX_SEGMENT = 2048;

/** The most header lines of a request: 431. Browsers send fewer than 40. */
export const MAX_HEADER_LINES = 100;

/** The limits by their names; times are in milliseconds. */
export type Limits = { readonly [Name in keyof typeof DEFAULTS]: number };

/** The limits that hold unless an option changes them. */
export const LIMITS: Limits = DEFAULTS;

/** The longest time of a timer of Node, in milliseconds. */
export const MAX_TIMER = 2 ** 31 - 1;

/** How often the watch of connections looks, in milliseconds. No shorter time for a handler can hold. */
export const TICK_MS = 1000;

/**
 * The defaults with the given limits in their place. Throws a `TypeError` for a name that is no limit, a `RangeError`
 * for one that is not a number of 0 or more, and for two that exclude each other.
 */
export function limitsFrom(given: { readonly [Name in keyof Limits]?: number | undefined }): Limits {
  assertNamed('use the limits', given, Object.keys(DEFAULTS));
  const limits = { ...DEFAULTS };
  for (const name of Object.keys(limits) as (keyof Limits)[]) {
    const value: unknown = given[name];
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value >= 0))
      throw unusable(name, value, 'it is no number of 0 or more; give one, or leave it out');
    if (name.endsWith('Timeout') && value > MAX_TIMER) throw unusable(name, value, `give at most ${MAX_TIMER} ms`);
    limits[name] = value;
  }
  const { maxBody, headTimeout, requestTimeout, handlerTimeout } = limits;
  if (handlerTimeout < TICK_MS)
    throw unusable('handlerTimeout', handlerTimeout, `it is checked once a second; give ${TICK_MS} ms or more`);
  // A default follows a limit that is given.
  if (given.maxBodyMemory === undefined) limits.maxBodyMemory = Math.max(LIMITS.maxBodyMemory, memoryFor(2 * maxBody));
  if (given.headTimeout === undefined) limits.headTimeout = Math.min(headTimeout, requestTimeout);
  if (given.requestTimeout === undefined) limits.requestTimeout = Math.max(limits.headTimeout, requestTimeout);
  if (limits.maxBodyMemory < memoryFor(maxBody)) {
    const why =
      'one body of that size, packed and unpacked, does not fit into maxBodyMemory ' +
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

/** Memory that a body takes as it is sent, as it is decoded, and for its chunks, in bytes. */
export const memoryFor = (maxBody: number): number => 2 * maxBody + 64 * KiB;

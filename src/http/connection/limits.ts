/** Decides how much one client may ask of the service. Each limit has a status of its own, and none of them is 500. */

/** Sizes are in bytes, times in milliseconds. */
export interface Limits {
  /** The path of a request: 414. */
  readonly maxPath: number;
  /** One decoded segment of the path in UTF-16 code units, judged before any constraint sees it: 414 (D31). */
  readonly maxSegment: number;
  /** Request line and header lines together: 431. */
  readonly maxHeaderBytes: number;
  /** Header lines: 431. */
  readonly maxHeaders: number;
  /** A body, as it is sent and as it is decoded: 413 (D3). */
  readonly maxBody: number;
  /** Time for the head of a request: 408. */
  readonly headTimeout: number;
  /** Time for a request as a whole, head and body: 408. */
  readonly requestTimeout: number;
  /** The minimum rate of a body in bytes a second, judged after `bodyRateGrace`: 408. */
  readonly minBodyRate: number;
  readonly bodyRateGrace: number;
  /** Bytes of bodies in memory, all requests together, decoded ones included: 503 for a further body (D49). */
  readonly maxBodyMemory: number;
  /** Time for a handler to return a reply once the body is in, judged once a second: 503 (D48). */
  readonly handlerTimeout: number;
  /** A client that takes nothing of its reply for this time is cut. */
  readonly writeTimeout: number;
  /** The minimum rate of a reader in bytes a second, over each `writeTimeout` in which bytes wait for it (D50). */
  readonly minReplyRate: number;
  /** A connection without a request is closed after this time (D51). */
  readonly idleTimeout: number;
  /** Open connections: 503 for a further one. */
  readonly maxConnections: number;
  /** Requests on one connection, 0 for any number; the reply to the last says `Connection: close`. */
  readonly maxRequestsPerConnection: number;
  /** How long, and how much of, an unwanted body is read so that its sender can read the reply (D40). */
  readonly drainTimeout: number;
  readonly maxDrain: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;
const second = 1000;

/** The defaults. That of `maxBodyMemory` grows to four times a given `maxBody`. */
export const LIMITS: Limits = {
  maxPath: 8 * KiB,
  maxSegment: 2048,
  maxHeaderBytes: 16 * KiB,
  maxHeaders: 100,
  maxBody: MiB,
  headTimeout: 15 * second,
  requestTimeout: 30 * second,
  minBodyRate: 240,
  bodyRateGrace: 5 * second,
  maxBodyMemory: 64 * MiB,
  handlerTimeout: 30 * second,
  writeTimeout: 30 * second,
  minReplyRate: 240,
  idleTimeout: 72 * second,
  maxConnections: 10_000,
  maxRequestsPerConnection: 0,
  drainTimeout: 5 * second,
  maxDrain: 16 * MiB,
};

/** The longest time of a timer of Node, in milliseconds. */
const MAX_TIMER = 2 ** 31 - 1;

/**
 * The defaults with the given limits in their place. Throws a `RangeError` for one that is not a number of 0 or more,
 * and for two that exclude each other.
 */
export function limitsFrom(given: { readonly [Name in keyof Limits]?: Limits[Name] | undefined }): Limits {
  const limits: { -readonly [Name in keyof Limits]: Limits[Name] } = { ...LIMITS };
  for (const name of Object.keys(LIMITS) as (keyof Limits)[]) {
    const value: unknown = given[name];
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value >= 0))
      throw new RangeError(
        `Cannot use the limit ${name} "${String(value)}": it is no number of 0 or more; give one, or leave it out`,
      );
    if (name.endsWith('Timeout') && value > MAX_TIMER)
      throw new RangeError(`Cannot use the limit ${name} "${value}": give at most ${MAX_TIMER} ms`);
    limits[name] = value;
  }
  // A default follows a limit that is given.
  if (given.maxBodyMemory === undefined) limits.maxBodyMemory = Math.max(LIMITS.maxBodyMemory, 4 * limits.maxBody);
  if (given.headTimeout === undefined) limits.headTimeout = Math.min(limits.headTimeout, limits.requestTimeout);
  if (given.requestTimeout === undefined) limits.requestTimeout = Math.max(limits.headTimeout, limits.requestTimeout);
  if (limits.maxBodyMemory < memoryFor(limits.maxBody)) {
    throw new RangeError(
      `Cannot use the limit maxBody "${limits.maxBody}": one body of that size, packed and unpacked, does not fit into ` +
        `maxBodyMemory "${limits.maxBodyMemory}"; raise that to ${memoryFor(limits.maxBody)}, or leave it out`,
    );
  }
  if (limits.headTimeout > limits.requestTimeout) {
    throw new RangeError(
      `Cannot use the limit headTimeout "${limits.headTimeout}": the whole request has less time, requestTimeout ` +
        `"${limits.requestTimeout}"; raise that, or leave it out`,
    );
  }
  return limits;
}

/** Memory that a body takes as it is sent, as it is decoded, and for its chunks, in bytes. */
export const memoryFor = (maxBody: number): number => 2 * maxBody + 64 * KiB;

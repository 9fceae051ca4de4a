/**
 * How much of anything one client may ask of the service. Every limit has its own status and none of them is a 500.
 *
 * Node's own defaults leave a body, a slow body, a client that does not read and the number of connections unbounded, and
 * cut an idle connection after 5 s, sooner than any proxy in front expects.
 */

/** Sizes in bytes, times in milliseconds. */
export interface Limits {
  /** The path of a request in bytes; longer ones are 414. */
  readonly maxPath: number;
  /** One decoded segment in UTF-16 code units, refused with 414 before any constraint sees it (D31). */
  readonly maxSegment: number;
  /** Request line and header lines together; longer ones are 431. */
  readonly maxHeaderBytes: number;
  /** Header lines; more are 431. */
  readonly maxHeaders: number;
  /** A body, also once its content coding is undone; larger ones are 413 (D3). */
  readonly maxBody: number;
  /** For the head of a request: 408 after it. */
  readonly headTimeout: number;
  /** For a request as a whole, head and body: 408 after it. */
  readonly requestTimeout: number;
  /** The least rate of a body in bytes a second, judged once `bodyRateGrace` is over: 408 below it. */
  readonly minBodyRate: number;
  readonly bodyRateGrace: number;
  /** A client that takes nothing of its reply for so long is cut off. */
  readonly writeTimeout: number;
  /** A kept connection without a request is closed after it. */
  readonly idleTimeout: number;
  /** Open connections; a further one is answered 503 and closed. */
  readonly maxConnections: number;
  /** Requests on one connection, 0 for any number; the last one is answered with `Connection: close`. */
  readonly maxRequestsPerConnection: number;
  /** How long, and how much of, a body that nobody wants is read so that its sender can read the answer. */
  readonly drainTimeout: number;
  readonly maxDrain: number;
}

const KiB = 1024, MiB = 1024 * KiB, second = 1000;

/** The defaults: those of the most trusted servers beside Node's. */
export const LIMITS: Limits = {
  maxPath: 8 * KiB, maxSegment: 2048, maxHeaderBytes: 16 * KiB, maxHeaders: 100, maxBody: MiB,
  headTimeout: 15 * second, requestTimeout: 30 * second, minBodyRate: 240, bodyRateGrace: 5 * second,
  writeTimeout: 30 * second, idleTimeout: 72 * second, maxConnections: 10_000, maxRequestsPerConnection: 0,
  drainTimeout: 5 * second, maxDrain: 16 * MiB,
};

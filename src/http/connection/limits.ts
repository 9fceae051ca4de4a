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
  /** Bytes of bodies that are held at a time, all requests together, decoded ones included; a further one is 503. */
  readonly maxBodyMemory: number;
  /** For a handler to return a reply, the time for the body to arrive not counted: 503 after it. Judged once a second. */
  readonly handlerTimeout: number;
  /** A client that takes nothing of its reply for so long is cut off. */
  readonly writeTimeout: number;
  /** The least rate in bytes a second at which a client takes a reply, judged over each `writeTimeout` in which bytes wait for it. */
  readonly minReplyRate: number;
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

const KiB = 1024,
  MiB = 1024 * KiB,
  second = 1000;

/** The defaults: those of the most trusted servers beside Node's. `maxBodyMemory` is at least four times `maxBody`. */
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

/** The longest time that a timer of Node can be set to, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;
const TIMES: ReadonlySet<string> = new Set([
  'headTimeout',
  'requestTimeout',
  'handlerTimeout',
  'writeTimeout',
  'idleTimeout',
  'drainTimeout',
] satisfies readonly (keyof Limits)[]);

const NAMES = Object.keys(LIMITS) as readonly (keyof Limits)[];

/**
 * These limits, and the defaults for the others. Other members are passed over. Throws a `RangeError` for a value that is no number
 * of 0 or more, and for two limits of which one makes the other impossible.
 */
export function limitsFrom(given: { readonly [Name in keyof Limits]?: Limits[Name] | undefined }): Limits {
  for (const name of NAMES) {
    const value: unknown = given[name];
    const most = TIMES.has(name) ? LONGEST_TIMER : Infinity;
    if (value === undefined || (typeof value === 'number' && value >= 0 && value <= most)) continue;
    if ((value as number) > most)
      throw new RangeError(`Cannot use the limit ${name} "${String(value)}": give at most ${most} ms`);
    throw new RangeError(
      `Cannot use the limit ${name} "${String(value)}": it is no number of 0 or more; give one, or leave it out`,
    );
  }
  const limits = Object.fromEntries(
    NAMES.map((name) => [name, given[name] ?? LIMITS[name]]),
  ) as unknown as Mutable<Limits>;
  // A limit that was not given follows the one that was.
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

/** The least memory that one body of this length needs, in bytes: as it is sent and as it is decoded, and what its pieces take. */
export const memoryFor = (maxBody: number): number => 2 * maxBody + 64 * KiB;

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** What a soak comes to: the slope of memory, what is wrong, and one line. */

/** Resident memory in bytes at a time in milliseconds. */
export interface Sample {
  readonly at: number;
  readonly memory: number;
}

/** The figures of one service. Times are in milliseconds. */
export interface SoakFigures {
  readonly requests: number;
  /** Failures that an injected fault explains. */
  readonly explained: number;
  readonly injected: number;
  readonly recovered: number;
  /** Items that were acknowledged and are not there, or not as they were. */
  readonly lost: number;
  /** Open descriptors while no client is there, at the beginning and at the end, and the most at any time. */
  readonly open: number;
  readonly openAtEnd: number;
  readonly mostOpen: number;
  /** How late the event loop was, and how long a request took while there was no fault. */
  readonly delay: number;
  readonly longest: number;
  readonly memory: readonly Sample[];
  /** Every other failure, a line each. */
  readonly wrong: readonly string[];
}

const MIB = 2 ** 20;
const HOUR = 3_600_000;
/** V8 may still take this much for itself after the warm-up. So an hour of soak allows a slope of 32 MiB an hour. */
const MOST_GROWTH = 24 * MIB;
/**
 * A shorter soak than this, in milliseconds, may seem to grow by twice as much. Twelve soaks of two minutes of the same
 * service measured -400 to 1,360 MiB an hour. On a busy machine the interval of a soak began at 965 MiB an hour.
 */
const SHORT = 10 * 60_000;
/** The part of the time in which everything is used for the first time. */
const WARM_UP = 0.25;
const WINDOWS = 24;

/**
 * The slope of the least memory of each window, in bytes per hour: what the collector has not come to yet is no leak.
 * It is the median of the slopes between any two windows (Theil and Sen), so single steps do not decide. From `low`
 * to `high` is its interval of 95 %, too narrow where windows depend on each other. Undefined where half of them are
 * empty.
 */
export function slopeOf(samples: readonly Sample[]) {
  const from = samples[0]?.at ?? 0;
  const to = samples.at(-1)?.at ?? 0;
  const begin = from + (to - from) * WARM_UP;
  const windows: Sample[] = [];
  for (const sample of samples) {
    const at = Math.min(WINDOWS - 1, Math.floor(((sample.at - begin) / (to - begin)) * WINDOWS));
    if (at >= 0 && sample.memory < (windows[at]?.memory ?? Number.POSITIVE_INFINITY)) windows[at] = sample;
  }
  const least = Object.values(windows);
  const count = least.length;
  if (count < WINDOWS / 2) return undefined;
  const slopes = least
    .flatMap((one, at) => least.slice(at + 1).map((other) => (other.memory - one.memory) / (other.at - one.at)))
    .sort((one, other) => one - other);
  const spread = 1.96 * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const ranked = (rank: number): number => slopes[Math.round(rank)]! * HOUR;
  return {
    slope: ranked((slopes.length - 1) / 2),
    low: ranked((slopes.length - spread) / 2 - 1),
    high: ranked((slopes.length + spread) / 2),
    bound: ((to - from < SHORT ? 2 : 1) * MOST_GROWTH * HOUR) / (to - begin),
  };
}

/** Everything that is wrong, a line each, and the line of figures. Memory and event loop are those of the first run. */
export function outcomeOf(runs: readonly [SoakFigures, ...SoakFigures[]]) {
  const sum = (figure: (run: SoakFigures) => number): number => runs.reduce((all, run) => all + figure(run), 0);
  const mib = (bytes: number): string => (bytes / MIB).toFixed(1);
  const errors = runs.flatMap((run) => run.wrong);
  const [lost, injected, recovered] = [sum((run) => run.lost), sum((run) => run.injected), sum((run) => run.recovered)];
  const memory = slopeOf(runs[0].memory);
  const wrong = [
    ...errors,
    ...(recovered < injected ? [`${injected - recovered} faults were not recovered from`] : []),
    ...(lost > 0 ? [`${lost} items are lost`] : []),
    ...runs
      .filter(({ open, openAtEnd }) => openAtEnd > open)
      .map(({ open, openAtEnd }) => `${openAtEnd} descriptors are open at the end, ${open} were at the beginning`),
    ...(memory !== undefined && memory.low > memory.bound ? [`memory grows by ${mib(memory.low)} MiB/h or more`] : []),
  ];
  const line = [
    `${sum((run) => run.requests)} requests`,
    `${errors.length} errors (${sum((run) => run.explained)} more are of faults)`,
    memory === undefined
      ? 'memory not measured'
      : `memory ${mib(memory.slope)} MiB/h (${mib(memory.low)} to ${mib(memory.high)}, bound ${mib(memory.bound)})`,
    `descriptors ${sum((run) => run.open)} to ${sum((run) => run.openAtEnd)}, ${sum((run) => run.mostOpen)} at most`,
    `longest pause ${Math.round(runs[0].delay)} ms of the event loop`,
    `${Math.round(Math.max(...runs.map((run) => run.longest)))} ms of a request`,
    `${injected} faults injected`,
    `${recovered} recovered`,
    `${lost} items lost`,
  ].join(', ');
  return { wrong, line };
}

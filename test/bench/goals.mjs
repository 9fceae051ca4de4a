/**
 * The figures to reach, by row and line, in one place.
 *
 * `least` is a ratio of speeds (more is better), `most` a ratio of costs or a figure of its own unit (less is better):
 * for every version of Node, or by version. 22 has the lower one of 20 and 24 where it was not measured before. A line
 * that is not here has no goal and is shown for comparison.
 */
const TUNED = 'ours ÷ tuned floor';
const FLOOR = 'ours ÷ floor';
const FASTIFY = 'ours ÷ fastify';
const onFloor = (least) => ({ [FLOOR]: { least } });
const fromMemory = onFloor({ 26: 1 });

export const GOALS = {
  'one item by id': { [TUNED]: { least: { 26: 1.05 } }, ...onFloor({ 20: 1.12, 22: 1.12, 24: 1.25 }) },
  'list of 1': { [TUNED]: { least: { 26: 1.05 } }, ...onFloor({ 20: 1.07, 22: 1.07, 24: 1.29 }) },
  'list of 100': onFloor({ 20: 2.18, 22: 2.18, 24: 2.38, 26: 2.5 }),
  'create (POST)': { ...onFloor({ 20: 1.01, 22: 0.92, 24: 0.92, 26: 1.05 }), [FASTIFY]: { least: 1 } },
  'replace (PUT)': { ...onFloor({ 20: 0.9, 22: 0.9, 24: 0.99, 26: 1.05 }), [FASTIFY]: { least: 1 } },
  mixed: { ...onFloor({ 20: 1.08, 22: 1.03, 24: 1.03, 26: 1.15 }), [FASTIFY]: { least: 1 } },
  'replace (PUT) of 100 kB': onFloor({ 26: 0.9 }),
  'one item by id, observed': { 'access log and metrics ÷ off': { least: { 26: 0.93 } } },
  'script, plain': fromMemory,
  'script, gzip': fromMemory,
  'script, br': fromMemory,
  'small page': fromMemory,
  'script, 304': fromMemory,
  'small page, 304': fromMemory,
  ...Object.fromEntries(
    ['to-do item', 'order', '100 orders', 'one of three, by discriminator'].flatMap((name) => [
      [`reading ${name}`, { 'ours ÷ JSON.parse + ajv': { least: { 26: 0.8 } } }],
      [`writing ${name}`, { 'ours ÷ fast-json-stringify': { least: { 26: 0.9 } } }],
    ]),
  ),
  'start to first answer': {
    'ours ÷ hono': { most: { 26: 1 } },
    'image ÷ hono': { most: { 26: 1 } },
  },
  'memory at rest': { [FLOOR]: { most: { 26: 1.03 } } },
  'an idle connection': { [FLOOR]: { most: { 26: 1.1 } } },
  routing: {
    '10 routes, mixed': { most: 1.6 },
    '100 routes, mixed': { most: 1.5 },
    '1,000 routes, mixed': { most: 1.0 },
    '10,000 routes, mixed': { most: 0.9 },
    'growth 10 to 10,000, mixed': { most: 2.5 },
    'growth 10 to 10,000, first': { most: 1.5 },
    'growth 10 to 10,000, last': { most: 1.5 },
    'growth 10 to 10,000, miss': { most: 1.5 },
    'last over first, 10,000 routes': { most: 1.3 },
    'building, µs a route': { most: 5 },
    'memory, bytes a route': { most: 1536 },
  },
  links: { '10 named routes': { most: 400 }, '10,000 named routes': { most: 400 } },
};

/** The goal of a line on this version of Node: its text, and its bound with `isLeast`; undefined where it has none. */
export function goalOf(row, what, version) {
  const { least, most } = GOALS[row]?.[what] ?? {};
  const bounds = least ?? most;
  const bound = typeof bounds === 'object' ? bounds[version] : bounds;
  if (bound === undefined) return undefined;
  return { bound, isLeast: least !== undefined, text: `${least === undefined ? '≤' : '≥'} ${bound}` };
}

/**
 * `reached` or `short`; `open` where the run does not tell, for the interval holds the goal, or there was time for one
 * set alone.
 */
export function verdict({ row, what, low, high, sets }, version) {
  const goal = goalOf(row, what, version);
  if (goal === undefined) return '';
  if (sets < 2) return 'open';
  const [worst, best] = goal.isLeast ? [low, high] : [-high, -low];
  const bound = goal.isLeast ? goal.bound : -goal.bound;
  if (worst >= bound) return 'reached';
  return best < bound ? 'short' : 'open';
}

/** The goal of a figure without an interval, as a cell. */
export function goalCell(row, what, figure) {
  const goal = goalOf(row, what);
  if (goal === undefined || !Number.isFinite(figure)) return '';
  const rounded = Number(figure.toPrecision(3));
  return `${goal.text}${(goal.isLeast ? rounded >= goal.bound : rounded <= goal.bound) ? '' : ' **missed**'}`;
}

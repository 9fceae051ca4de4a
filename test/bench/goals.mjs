/**
 * The figures to reach, by table and line, in one place.
 *
 * `least` is a ratio of speeds (floor's time over ours, more is better), `most` a ratio of costs or a figure of its own
 * unit (less is better). A line that is not here has no goal and is shown for comparison.
 */
export const GOALS = {
  http: {
    'one item by id': { least: 1.05 },
    'list of 1': { least: 1.07 },
    'list of 100': { least: 1.6 },
    'create (POST)': { least: 0.98 },
    'replace (PUT)': { least: 1.0 },
    mixed: { least: 1.0 },
  },
  latency: {
    'one item by id': { most: 1.05 },
    'list of 1': { most: 1.05 },
    'list of 100': { most: 1.05 },
    'create (POST)': { most: 1.05 },
    'replace (PUT)': { most: 1.05 },
    mixed: { most: 1.05 },
  },
  'in-process': { 'one item by id': { least: 1.0 } },
  start: {
    'start to first answer': { most: 1.2 },
    'memory at rest': { most: 1.1 },
    'memory after GET load': { most: 1.05 },
  },
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
  static: {
    'script, plain': { least: 0.95 },
    'script, gzip': { least: 0.95 },
    'script, br': { least: 0.95 },
    'small page': { least: 0.92 },
    'script, 304': { least: 0.95 },
    'small page, 304': { least: 0.95 },
  },
};

const missed = [];

/** The goal of a line as a cell; a figure that misses it is marked here and told again at the end. */
export function goalCell(table, line, figure) {
  const goal = GOALS[table]?.[line];
  if (goal === undefined || !Number.isFinite(figure)) return '';
  const rounded = Number(figure.toPrecision(3));
  const reached = goal.least === undefined ? rounded <= goal.most : rounded >= goal.least;
  const text = goal.least === undefined ? `≤ ${goal.most}` : `≥ ${goal.least}`;
  if (!reached) missed.push(`- ${table}, ${line}: ${rounded}, wanted ${text}`);
  return reached ? text : `${text} **missed**`;
}

/** What was missed in this run, a line each. */
export const missedGoals = () =>
  missed.length === 0
    ? 'Every goal that was measured is reached.'
    : `Goals missed in this run:\n\n${missed.join('\n')}`;

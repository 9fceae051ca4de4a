/** The figures to reach, by row and line. A line that is not here has no goal and is shown for comparison. */

/** A ratio of speeds: more is better. */
const least = (bound) => ({ text: `≥ ${bound}`, isMet: (ratio) => ratio >= bound });
/** A ratio of costs: less is better. */
const most = (bound) => ({ text: `≤ ${bound}`, isMet: (ratio) => ratio <= bound });

const READ = { 'ours ÷ fastify': least(1) };

export const GOALS = {
  'one item by id': READ,
  'list of 1': READ,
  'list of 100': READ,
  'start to first answer': { 'ours ÷ hono': most(1), 'image ÷ hono': most(1) },
  'memory at rest': { 'ours ÷ floor': most(1.03) },
  'an idle connection': { 'ours ÷ floor': most(1.1) },
};

/**
 * `reached` or `short`; `open` where the interval of the line holds the goal, or there was time for one set alone. Empty
 * for a line without a goal.
 */
export function verdict({ row, what, low, high, sets }) {
  const goal = GOALS[row]?.[what];
  if (goal === undefined) return '';
  const ends = [goal.isMet(low), goal.isMet(high)];
  if (sets < 2 || ends[0] !== ends[1]) return 'open';
  return ends[0] ? 'reached' : 'short';
}

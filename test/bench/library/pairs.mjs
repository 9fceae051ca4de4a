/**
 * The measurement that a busy machine does not fool: several sets of fresh processes, and in each set rounds in which
 * every process has one short slice, in an order that rotates.
 *
 * Only costs of one round are divided by each other. Two processes of one build differ for as long as they live, by
 * what V8 has compiled and where memory lies: an interval takes whole sets into account, and the build under
 * measurement runs twice, as `ours` and `ours again`. What the two differ by, the control, widens the interval of its
 * rows.
 */
import { interval, median } from './statistics.mjs';

/**
 * Calls `turn(target, round)` for each, as long as `goesOn(round)`; resolves with the results by the target's name, in
 * the order of the rounds.
 */
async function inRounds(targets, rounds, turn, goesOn = () => true) {
  const results = new Map(targets.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds && goesOn(round); round++) {
    for (let at = 0; at < targets.length; at++) {
      const target = targets[(at + round) % targets.length];
      results.get(target.name)[round] = await turn(target, round);
    }
  }
  return results;
}

/** The name of the second process of a build. */
export const again = (name) => `${name} again`;

/**
 * Opens `sets` of subjects, one after the other: `open()` resolves with those of a set, each with `name`, `slice` and
 * `close`. Resolves with what the slices gave: for each name the rounds of each set; `uncounted` ones come before them.
 * Once `seconds` have passed no set begins, and no round but the third of its set.
 */
export async function inSets({ sets, rounds, seconds, uncounted = 2 }, open) {
  const results = new Map();
  const started = performance.now();
  const isOver = (share) => performance.now() - started > seconds * 1000 * share;
  for (let set = 0; set < sets && (set === 0 || !isOver(1)); set++) {
    const subjects = await open();
    // While others were opened, the first had time to forget what V8 had compiled.
    await inRounds(subjects, uncounted, ({ slice }) => slice());
    const goesOn = (round) => round < 3 || !isOver((set + 1) / sets);
    const turns = await inRounds(subjects, rounds, ({ slice }) => slice(), goesOn);
    for (const [name, figures] of turns) results.set(name, [...(results.get(name) ?? []), figures]);
    for (const { close } of subjects) await close();
  }
  return results;
}

const quotients = (over, under) => over.map((set, at) => set.map((cost, round) => cost / under[at][round]));
const least = (sets) => Math.min(...sets.flat());

/**
 * The lines of a row. `pairs` says what is compared, such as `['ours', 'floor']`; `costOf` reads the cost from what a
 * slice gave. With `speed` a line has the speed of the first over that of the second, else its cost over that of the
 * second. A build that has run twice is compared with itself too, and has the mean of both.
 */
export function linesOf({ row, results, pairs, costOf, speed = false }) {
  const alone = (name) => results.get(name).map((set) => set.map(costOf));
  const mean = (one, other) => one.map((set, at) => set.map((cost, round) => (cost + other[at][round]) / 2));
  const costs = (name) => (results.has(again(name)) ? mean(alone(name), alone(again(name))) : alone(name));
  const control = (name) => quotients(alone(again(name)), alone(name));
  const twice = [...results.keys()].filter((name) => results.has(again(name)));
  return [
    ...pairs
      .filter((pair) => pair.every((name) => results.has(name)))
      .map(([one, other]) => {
        const [over, under] = speed ? [costs(other), costs(one)] : [costs(one), costs(other)];
        const ratios = quotients(over, under);
        const apart = [one, other].filter((name) => twice.includes(name)).map((name) => median(control(name).flat()));
        const wider = Math.max(1, ...apart.map((ratio) => Math.max(ratio, 1 / ratio)));
        const [low, high] = interval(ratios);
        const figures = {
          ratio: median(ratios.flat()),
          low: low / wider,
          high: high * wider,
          least: least(over) / least(under),
        };
        return {
          row,
          what: `${one} ÷ ${other}`,
          ...figures,
          cost: least(costs(one)).toFixed(1),
        };
      }),
    ...twice.map((name) => {
      const [low, high] = interval(control(name));
      return { row, what: `${again(name)} ÷ ${name}`, ratio: median(control(name).flat()), low, high };
    }),
  ];
}

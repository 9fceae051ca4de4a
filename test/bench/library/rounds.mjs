/**
 * Rounds in which every target has one short turn, in an order that rotates.
 *
 * What drifts – the clock of the processor, other programs – then meets all of them alike, and only ratios within one
 * round are compared: the median of those is the figure, whatever the absolute times were.
 */

/** Calls `turn(target, round)` for each; resolves with the results by the target's name, in the order of the rounds. */
export async function inRounds(targets, rounds, turn) {
  const results = new Map(targets.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < targets.length; at++) {
      const target = targets[(at + round) % targets.length];
      results.get(target.name)[round] = await turn(target, round);
    }
  }
  return results;
}

/**
 * What the floor took, by round: the mean of both floors where it ran twice, for two equal processes differ by some per
 * cent.
 */
export function floorOf(results, figureOf) {
  const [one, other] = ['floor', 'floor again'].map((name) => results.get(name)?.map(figureOf));
  return other === undefined ? one : one.map((figure, round) => (figure + other[round]) / 2);
}

/** Floor over target, by round: 2 is twice as fast as the floor. */
export const speeds = (floor, target) => target.map((value, round) => floor[round] / value);

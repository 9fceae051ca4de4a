/**
 * Rounds in which every target has one short turn, in an order that rotates.
 *
 * What drifts – the clock of the processor, other programs – then meets all of them alike, and only ratios within one
 * round are compared: the median of those is the figure, whatever the absolute times were.
 */

/**
 * Calls `turn(target, round)` for each, as long as `goesOn(round)`; resolves with the results by the target's name, in
 * the order of the rounds.
 */
export async function inRounds(targets, rounds, turn, goesOn = () => true) {
  const results = new Map(targets.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds && goesOn(round); round++) {
    for (let at = 0; at < targets.length; at++) {
      const target = targets[(at + round) % targets.length];
      results.get(target.name)[round] = await turn(target, round);
    }
  }
  return results;
}

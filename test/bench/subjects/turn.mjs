/** The side of a subject: answers each message with what `take` makes of it, and ends with the bench. */

export function takeTurns(take) {
  process.on('message', ({ number, ...parameters }) => {
    Promise.resolve(parameters)
      .then(take)
      .then(
        (answer) => process.send({ number, ...answer }),
        (error) => process.send({ number, failure: error.stack }),
      );
  });
  process.on('disconnect', () => process.exit(0));
}

/**
 * Runs `batch` (which says how many operations it did) for so long; nanoseconds of the quietest of its parts, by the
 * operation.
 */
export function timed(batch, milliseconds, prepare = () => {}) {
  const parts = [];
  const until = performance.now() + milliseconds;
  do {
    prepare();
    const started = process.hrtime.bigint();
    const operations = batch();
    parts.push(Number(process.hrtime.bigint() - started) / operations);
  } while (performance.now() < until);
  // Of many short parts a quarter at least was not disturbed.
  parts.sort((one, other) => one - other);
  return parts[parts.length >> 2];
}

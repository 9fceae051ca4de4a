/**
 * Decides how often a test repeats a measurement, a kill or a random input. `npm test` repeats it a few times;
 * `npm run test:long` repeats it often enough to find rare errors.
 */

/** Whether this is the long run. */
export const isLong = process.env['LONG_TESTS'] === '1';

/** Returns the first number in `npm test`, and the second in `npm run test:long`. */
export const often = (usual: number, long: number): number => (isLong ? long : usual);

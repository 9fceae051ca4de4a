/**
 * How often tests repeat what they measure, kill or make up. `npm test` repeats it a few times, so that it ends while
 * one waits; `npm run test:long` does it as often as it takes to find what is rare.
 */

/** Whether this is the long run. */
export const isLong = process.env['LONG_TESTS'] === '1';

/** The first number in `npm test`, the second in `npm run test:long`. */
export const often = (usual: number, long: number): number => (isLong ? long : usual);

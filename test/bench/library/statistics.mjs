/** Medians and spreads. A mean is never used: one slice that the machine disturbed would move it. */

const inOrder = (values) => [...values].sort((one, other) => one - other);

/** The value in the middle; NaN for none. */
export function median(values) {
  const sorted = inOrder(values);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The value below which this share of the others lies. */
const quantile = (values, share) =>
  inOrder(values)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;

const RESAMPLES = 1000;

/**
 * The interval that holds the true median of all values in 95 of 100 runs, by the bootstrap: medians of sets that are
 * drawn from these sets with values that are drawn from theirs. The draws are the same in each run.
 */
export function interval(sets) {
  let state = 1;
  const drawn = (list) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return list[Math.floor((state / 2 ** 32) * list.length)];
  };
  const again = (list) => list.map(() => drawn(list));
  const medians = Array.from({ length: RESAMPLES }, () => median(again(sets).flatMap(again)));
  return [quantile(medians, 0.025), quantile(medians, 0.975)];
}

/** A figure as it is printed: digits behind the point, or groups of thousands. */
export const number = (value, digits = 0) =>
  Number.isFinite(value)
    ? value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : '–';

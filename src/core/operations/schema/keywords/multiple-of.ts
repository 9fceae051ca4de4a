/**
 * Checks `multipleOf` in decimal: 0.3 is a multiple of 0.1, although the division of the doubles gives
 * 2.9999999999999996.
 */

/** Returns whether a finite number is a multiple of `factor`, each read as the shortest decimal that gives it. */
export function isMultipleOf(value: number, factor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor)) return value % factor === 0;
  const [digits, exponent] = decimalOf(value);
  const [factorDigits, factorExponent] = decimalOf(factor);
  const least = Math.min(exponent, factorExponent);
  return (digits * 10n ** BigInt(exponent - least)) % (factorDigits * 10n ** BigInt(factorExponent - least)) === 0n;
}

/** The digits and the power of ten of a number: 1.5 is 15 and -1. */
function decimalOf(value: number): [digits: bigint, exponent: number] {
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

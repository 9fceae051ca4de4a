/** Tells in one line what was thrown. A plugin may throw anything. */

import { attempt, oneLine, thrownText } from '../../../extending.ts';
import { HttpProblem } from '../../../index.ts';

/** A problem with its status and the places that it names; any other error with its class. Never throws. */
export const errorText = (error: unknown): string =>
  attempt(() => oneLine(error instanceof HttpProblem ? problemText(error) : thrownText(error)), 'what cannot be shown');

function problemText({ status, message, extra }: HttpProblem): string {
  const violations: readonly unknown[] = Array.isArray(extra.errors) ? extra.errors : [];
  const places = violations.map((one) => {
    const { pointer, parameter, detail } = (one ?? {}) as Readonly<Record<string, unknown>>;
    return `${parameter ?? (pointer || 'body')}: ${detail}`;
  });
  return `HttpProblem ${status}: ${message}${places.length > 0 ? ` (${places.join('; ')})` : ''}`;
}

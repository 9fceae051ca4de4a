/** Problems in the language of the caller: a text for each keyword that can refuse a value. */
import type { Violation } from '../../src/extending.ts';
import { type Context, problemFormat } from '../../src/index.ts';

/** The German text for each keyword. `limit` is the value of the keyword. */
const GERMAN: ReadonlyMap<string | undefined, (limit: unknown) => string> = new Map([
  ['required', () => 'Diese Angabe fehlt'],
  ['type', (limit: unknown) => `Erwartet wird ein Wert vom Typ ${limit}`],
  ['format', (limit: unknown) => (limit === 'date' ? 'Erwartet wird ein Datum wie 2026-12-24' : `Kein ${limit}`)],
  ['enum', (limit: unknown) => `Erlaubt sind nur ${(limit as unknown[]).join(', ')}`],
  ['maxLength', (limit: unknown) => `Höchstens ${limit} Zeichen`],
  ['minimum', (limit: unknown) => `Mindestens ${limit}`],
]);

const inGerman = (error: Violation): Violation => ({
  ...error,
  detail: GERMAN.get(error.keyword)?.(error.limit) ?? error.detail,
});
const isGerman = ({ headers }: Context): boolean => /^de\b/i.test(headers['accept-language'] ?? '');

/** The format of problems, for `operations({ problems })`. */
export const translated = problemFormat({
  write: (problem, context) => (isGerman(context) ? { ...problem, errors: problem.errors?.map(inGerman) } : problem),
  headers: (_, context) => ({ 'Content-Language': isGerman(context) ? 'de' : 'en', Vary: 'Accept-Language' }),
});

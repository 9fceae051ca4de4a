/**
 * What a running service writes to standard error: one JSON object per line, the stack inside, whatever the values contain.
 *
 * A line has the members `time`, `level` and `error` or `message`, then what is known of the request, `stack`, and `cause` and
 * `errors` where the error has them. No value can end its line or reach a terminal as anything but text.
 */
import { escapeControls } from './escape-controls.ts';
import { thrownMember, thrownText } from './thrown-value.ts';

/** Most characters of one text, and most errors in one line. */
const MAX_TEXT = 16_384,
  MAX_ERRORS = 16;

/** Writes an error with its causes; `method`, `path` and `requestId` are taken from the request where there is one. Never throws. */
export function logError(error: unknown, request: object = {}): void {
  const [method, path, requestId] = ['method', 'path', 'requestId'].map((name) =>
    textOrNothing(thrownMember(request, name)),
  );
  const { error: text, ...more } = described(error, new Set());
  console.error(jsonLine({ time: now(), level: 'error', error: text, method, path, requestId, ...more }));
}

/** Writes what an operator should know although the service goes on. Never throws. */
export const logWarning = (message: string): void =>
  console.error(jsonLine({ time: now(), level: 'warning', message: bounded(message) }));

/** A JSON object on one line, without a line feed at its end. Throws what `JSON.stringify` throws. */
export const jsonLine = (members: object): string => escapeControls(JSON.stringify(members));

interface DescribedError {
  readonly error: string;
  readonly stack?: string;
  readonly cause?: DescribedError;
  readonly errors?: readonly DescribedError[];
}

/** The error and those behind it, each once; `seen` is filled with them. */
function described(error: unknown, seen: Set<unknown>): DescribedError {
  seen.add(error);
  const further = (other: unknown): DescribedError[] =>
    seen.size < MAX_ERRORS && !seen.has(other) ? [described(other, seen)] : [];
  const stack = textOrNothing(thrownMember(error, 'stack')),
    cause = thrownMember(error, 'cause');
  const [behind] = cause === undefined ? [] : further(cause),
    beside = listOf(thrownMember(error, 'errors')).flatMap(further);
  return {
    error: bounded(thrownText(error)),
    ...(stack !== undefined && { stack }),
    ...(behind && { cause: behind }),
    ...(beside.length > 0 && { errors: beside }),
  };
}

/** The first members of an array; none of anything else. */
function listOf(value: unknown): readonly unknown[] {
  try {
    return Array.isArray(value) ? value.slice(0, MAX_ERRORS) : [];
  } catch {
    return [];
  }
}

const textOrNothing = (value: unknown): string | undefined => (typeof value === 'string' ? bounded(value) : undefined);

const bounded = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

const now = (): string => new Date().toISOString();

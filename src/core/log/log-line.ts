/**
 * Writes the log to standard error: one JSON object on each line. Line breaks and terminal controls in a value are
 * escaped.
 */
import { attempt, isError, thrownMember, thrownText } from './thrown-value.ts';

/** The maximum of characters in a text of a line. A longer text ends with `…` (D62). */
const MAX_TEXT_LENGTH = 16_384;
/** The maximum number of bytes that wait for a slow reader. Further lines are dropped and counted. */
const MAX_UNREAD = 2 ** 20;
const MAX_ERRORS = 16;

let common: object = {};

/** Adds these members to every later line. They replace members of the same name. */
export function nameProcess(members: object): void {
  common = members;
}

/**
 * Returns the members as a line of JSON without its line feed. The line begins with `time`, by default now in ISO 8601,
 * and `level`, by default `info`. Throws the errors of `JSON.stringify`.
 */
export function logLine(members: object): string {
  const text = JSON.stringify({ time: new Date().toISOString(), level: 'info', ...members, ...common });
  // U+007F is the only ASCII control character that `JSON.stringify` does not escape.
  return Buffer.byteLength(text) === text.length && !text.includes('\x7f') ? text : escapeControls(text);
}

/** Writes an error with its causes, and members that name its request. Never throws. */
export function logErrorLine(error: unknown, members: object = {}): void {
  const { error: text, ...more } = describedError(error, new Set());
  write(() => logLine({ level: 'error', error: text, ...members, ...more }));
}

/** Writes a warning for the operator; the service keeps running. Never throws. */
export const logWarning = (message: string): void => logMessage('warning', message);

/** Writes a message, for example that a limit is no longer reached. Never throws. */
export const logInfo = (message: string): void => logMessage('info', message);

export const MINUTE = 60_000;

/** Returns a function that returns true at most once a minute, so that clients cannot fill the log. */
export function onceAMinute(): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    const isOver = now - last >= MINUTE;
    if (isOver) last = now;
    return isOver;
  };
}

const logMessage = (level: string, message: string): void => write(() => logLine({ level, message: bounded(message) }));

/**
 * Writes a line with the time, the level, by default `info`, and these members. Describes an error among the members as
 * `logError` does. If JSON cannot represent a member, a bigint for example, writes all members as text. Throws if
 * reading a member throws.
 */
export function logEntry(members: object): void {
  const described = mapped(members, (value) => (isError(value) ? describedError(value, new Set()) : value));
  const line = attempt(() => logLine(described), undefined);
  write(() => line ?? logLine(mapped(described, thrownText)));
}

const mapped = (members: object, map: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value)]));

let dropped = 0;
let reported = 0;

/** Returns how many lines this process has dropped because the reader of standard error was too slow. */
export const droppedLines = (): number => dropped;

/** Writes a line. The line is lost if its reader has gone or the disk is full. */
function write(line: () => string): void {
  try {
    const { stderr } = process;
    if (stderr.writableLength > MAX_UNREAD) return void dropped++;
    if (!stderr.listeners('error').includes(ignore)) {
      // Without a listener, a failed write would end the process. Later errors come from writes of the program itself.
      stderr.on('error', ignore);
      setImmediate(() => stderr.off('error', ignore));
    }
    if (dropped > reported) console.error(logLine({ level: 'warning', dropped: dropped - reported }));
    reported = dropped;
    console.error(line());
  } catch {
    // This error cannot be reported, because the log itself has failed.
  }
}

const ignore = (): void => {};

type DescribedError = Readonly<Record<'error' | 'stack' | 'cause' | 'errors', unknown>>;

/** Returns the texts of the error, its `cause` and its `errors`, each error once. Adds the errors to `visited`. */
function describedError(error: unknown, visited: Set<unknown>): DescribedError {
  visited.add(error);
  const describeOther = (other: unknown): DescribedError[] =>
    visited.has(other) || visited.size >= MAX_ERRORS ? [] : [describedError(other, visited)];
  const stack = thrownMember(error, 'stack');
  const thrownCause = thrownMember(error, 'cause');
  const [cause] = thrownCause === undefined ? [] : describeOther(thrownCause);
  const errors = listOf(thrownMember(error, 'errors')).flatMap(describeOther);
  return {
    error: bounded(thrownText(error)),
    stack: typeof stack === 'string' ? bounded(stack) : undefined,
    cause,
    errors: errors.length > 0 ? errors : undefined,
  };
}

/** Returns the first entries of an array, or an empty list for any other value. */
const listOf = (value: unknown): readonly unknown[] =>
  attempt(() => (Array.isArray(value) ? value.slice(0, MAX_ERRORS) : []), []);

const bounded = (text: string): string => (text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text);

// Control characters, line and paragraph separators, and format characters: they break lines, control a terminal, or
// reverse the order of the text.
const ACTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Replaces each `ACTIVE` character by an escape such as `\u001b`. In JSON, the parsed value stays the same. */
const escapeControls = (text: string): string => text.replace(ACTIVE, escaped);

/** Returns the text as one line: replaces line breaks by a space, trims each line, and escapes other controls. */
export const oneLine = (text: string): string =>
  escapeControls(
    text
      .split(/[\r\n\u0085\u2028\u2029]/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' '),
  );

/** Returns the escape of a character, such as `\u001b`. A character above U+FFFF becomes two escapes. */
const escaped = (character: string): string =>
  character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

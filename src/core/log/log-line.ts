/** Writes the log to standard error: a JSON object a line, or text. No value can end its line or act on a terminal. */
import type { EventEmitter } from 'node:events';
import { attempt, isError, thrownMember, thrownText } from './thrown-value.ts';

const MAX_TEXT_LENGTH = 16_384;
/** Most bytes that wait for a reader who does not read; further lines are dropped and counted. */
const MAX_UNREAD = 2 ** 20;
const MAX_ERRORS = 16;

type Members = Readonly<Record<string, unknown>>;

/** How every line is written. */
type LogFormat = 'json' | 'text';

let render = (members: object): string => jsonLine(members);

/** From now on every line is in this format, and has these members too; one without a level is `info`. */
export function formatLog(format: LogFormat, common: object): void {
  const write = format === 'json' ? jsonLine : textLine;
  render = (members) => write({ level: 'info', ...members, ...common });
}

/** A line as the log writes it, without a final line feed. Throws what `JSON.stringify` throws. */
export const logLine = (members: object): string => render(members);

/** Writes an error with its causes, `method`, `path` and `requestId` of the request, and both ids. Never throws. */
export function logErrorLine(error: unknown, request: object = {}, trace: object = {}): void {
  const [method, path, requestId] = ['method', 'path', 'requestId'].map((name) =>
    textOrNothing(thrownMember(request, name)),
  );
  const [traceId, spanId] = ['traceId', 'spanId'].map((name) => textOrNothing(thrownMember(trace, name)));
  const { error: text, ...more } = described(error, new Set());
  const members = { time: now(), level: 'error', error: text, method, path, requestId, traceId, spanId, ...more };
  write(() => logLine(members));
}

/** Writes a message to the operator about a service that keeps running. Never throws. */
export const logWarning = (message: string): void => logMessage('warning', message);

/** Writes a message about what has come right again. Never throws. */
export const logInfo = (message: string): void => logMessage('info', message);

/** In milliseconds. */
export const MINUTE = 60_000;

/** Returns a function that is true once a minute: clients could fill the log otherwise. */
export function onceAMinute(): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    const isOver = now - last >= MINUTE;
    if (isOver) last = now;
    return isOver;
  };
}

const logMessage = (level: string, message: string): void =>
  write(() => logLine({ time: now(), level, message: bounded(message) }));

/**
 * Writes these members behind the time. Errors among them are described as `logErrorLine` does it. Where JSON has no
 * word for one, a bigint for example, all are told in words. Throws what the members throw where they are read.
 */
export function logEntry(members: object): void {
  const told = Object.entries({ time: now(), ...members }).map(([name, value]) => [
    name,
    isError(value) ? described(value, new Set()) : value,
  ]);
  const whole = Object.fromEntries(told) as object;
  const line = attempt(() => logLine(whole), undefined);
  write(() => line ?? logLine(Object.fromEntries(told.map(([name, value]) => [name, thrownText(value)])) as object));
}

let dropped = 0;
let allDropped = 0;

/** How many lines this process could not write to standard error, since its reader did not read. */
export const droppedLines = (): number => allDropped;

/** Writes a line as `console` does. The reader may have gone, and the disk may be full: then the line is lost. */
function write(line: () => string): void {
  try {
    const { stderr } = process;
    if (stderr.writableLength > MAX_UNREAD) {
      allDropped++;
      return void dropped++;
    }
    ignoreErrors(stderr);
    if (dropped > 0) console.error(logLine({ time: now(), level: 'warning', dropped }));
    dropped = 0;
    console.error(line());
  } catch {
    // There is no other place to say it.
  }
}

/** Keeps errors of what is written in this turn of the loop from being uncaught. Later ones are of others who write. */
export function ignoreErrors(stream: EventEmitter): void {
  if (stream.listeners('error').includes(ignore)) return;
  stream.on('error', ignore);
  setImmediate(() => stream.off('error', ignore));
}
const ignore = (): void => {};

/** `time level message`, then `name=value` of each further member; a value with a space or a quote is JSON. */
function textLine({ time, level, message, ...more }: Members): string {
  const pairs = Object.entries(more).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return `${name}=${typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)}`;
  });
  return oneLine([time, level, message, ...pairs].filter((part) => part !== undefined).join(' '));
}

/** A JSON object on one line, without a final line feed. Throws what `JSON.stringify` throws. */
function jsonLine(members: object): string {
  const text = JSON.stringify(members);
  // Of ASCII, JSON leaves one control character.
  return Buffer.byteLength(text) === text.length && !text.includes('\x7f') ? text : escapeControls(text);
}

type DescribedError = Readonly<Record<'error' | 'stack' | 'cause' | 'errors', unknown>>;

/** The error with its `cause` and `errors`, each once. Adds them all to `seen`. */
function described(error: unknown, seen: Set<unknown>): DescribedError {
  seen.add(error);
  const further = (other: unknown): DescribedError[] =>
    seen.has(other) || seen.size >= MAX_ERRORS ? [] : [described(other, seen)];
  const stack = textOrNothing(thrownMember(error, 'stack'));
  const given = thrownMember(error, 'cause');
  const [cause] = given === undefined ? [] : further(given);
  const errors = listOf(thrownMember(error, 'errors')).flatMap(further);
  return { error: bounded(thrownText(error)), stack, cause, errors: errors.length > 0 ? errors : undefined };
}

/** The first members of an array; empty for any other value. */
const listOf = (value: unknown): readonly unknown[] =>
  attempt(() => (Array.isArray(value) ? value.slice(0, MAX_ERRORS) : []), []);

const textOrNothing = (value: unknown): string | undefined => (typeof value === 'string' ? bounded(value) : undefined);
const bounded = (text: string): string => (text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text);
const now = (): string => new Date().toISOString();

// A terminal or a splitter of lines acts on these: control characters, separators of lines and paragraphs, and
// invisible format characters, which can reverse the order of the text.
const ACTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text with an escape such as `\u001b` in place of each such character. JSON text keeps its value. */
const escapeControls = (text: string): string => text.replace(ACTIVE, escaped);

/** The text as one line: a space in place of line breaks and the white space around them, escapes for the rest. */
export const oneLine = (text: string): string =>
  escapeControls(
    text
      .split(/[\r\n\u0085\u2028\u2029]/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' '),
  );

/** The escape of a character, such as `\u001b`. One outside the basic plane is two code units and so two escapes. */
export const escaped = (character: string): string =>
  character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Writes the text of server-sent events, and reads `Last-Event-ID` (HTML standard, D75). */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { assertOptions, quoted } from '../../extending.ts';

/** One event. */
export interface ServerSentEvent {
  /** A text is sent unchanged, any other value as JSON. */
  readonly data: unknown;
  /** The event type, for which a client adds a listener. Default: `message`. */
  readonly event?: string | undefined;
  /** The id of the event. A client that reconnects sends the last id as `Last-Event-ID`. */
  readonly id?: string | number | undefined;
  /** The time after which a disconnected client reconnects, in milliseconds. */
  readonly retry?: number | undefined;
}

/** The longest id in bytes of UTF-8. With a longer id, the head of the next request could exceed its limit. */
const MAX_ID_BYTES = 1024;

/**
 * Returns the lines of an event, with one `data` field for each line of the text. Throws a `TypeError` with the cause
 * and the remedy for an invalid event. A line break in an id or a type is invalid, because the client would read the
 * text after it as another field.
 */
export function eventText(sent: ServerSentEvent | string): string {
  if (typeof sent === 'string') return dataLines(sent);
  if (typeof sent !== 'object' || sent === null) throw invalid(`it is ${String(sent)}; give a text or { data }`);
  assertOptions('send an event', sent, ['data', 'event', 'id', 'retry']);
  const { data, event, id, retry } = sent;
  const text = typeof data === 'string' ? data : (JSON.stringify(data) as string | undefined);
  if (text === undefined) throw invalid('it has no data; give a text or a JSON value, such as null');
  let lines = '';
  if (event !== undefined) lines += `event: ${oneLine('name', event)}\n`;
  if (id !== undefined) lines += `id: ${checkedId(String(id))}\n`;
  if (retry !== undefined) lines += retryLine(retry);
  return lines + dataLines(text);
}

/** Returns the `retry` line. Throws a `TypeError` if `retry` is not a whole number of milliseconds. */
export function retryLine(retry: number): string {
  if (Number.isSafeInteger(retry) && retry >= 0) return `retry: ${retry}\n`;
  throw invalid(`its retry is ${quoted(retry)}; give a whole number of milliseconds`);
}

const dataLines = (data: string): string => `data: ${data.replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`;

function checkedId(id: string): string {
  if (id.includes('\0')) throw invalid(`its id ${quoted(id)} has U+0000, and clients ignore such ids; encode it`);
  if (Buffer.byteLength(id) > MAX_ID_BYTES)
    throw invalid(`its id has more than ${MAX_ID_BYTES} bytes; give a shorter id, because it comes back in a header`);
  return oneLine('id', id);
}

function oneLine(what: string, text: unknown): string {
  if (typeof text !== 'string') throw invalid(`its ${what} is ${quoted(text)}; give a text`);
  if (/[\r\n]/.test(text)) throw invalid(`its ${what} ${quoted(text)} has a line break; only its data can have one`);
  return text;
}

const invalid = (fault: string): TypeError => new TypeError(`Cannot send the event: ${fault}`);

/** Returns the id in `Last-Event-ID`, or undefined if it is absent, empty or too long. */
export function lastEventIdOf(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers['last-event-id'];
  if (typeof sent !== 'string' || sent === '' || sent.length > MAX_ID_BYTES) return undefined;
  // Node decodes a header as Latin-1; browsers write an id in UTF-8.
  const bytes = Buffer.from(sent, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : sent;
}

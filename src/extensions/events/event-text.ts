/**
 * Writes one server-sent event as the lines of `text/event-stream`, and reads the id that a client has seen last.
 *
 * A line break ends a field, and an empty line ends the event. A text is therefore split into a field for each line; an
 * id or a name that would end its line is refused, since the rest of it would be read as fields of its own.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { quoted } from '../../extending.ts';

/** One event. */
export interface ServerSentEvent {
  /** A text is sent as it is, any other value as JSON. */
  readonly data: unknown;
  /** The type that a client listens to: `message` unless given. */
  readonly event?: string | undefined;
  /** The client sends the last one as `Last-Event-ID` when it connects again. */
  readonly id?: string | number | undefined;
  /** Milliseconds after which a client connects again. */
  readonly retry?: number | undefined;
}

/** The longest id in bytes of UTF-8. A longer one could come back in a head that is too long to be read. */
const MAX_ID_BYTES = 1024;

/** The lines of an event. Throws a `TypeError` that names the fault and the remedy. */
export function eventText(sent: ServerSentEvent | string): string {
  if (typeof sent === 'string') return dataLines(sent);
  if (typeof sent !== 'object' || sent === null) throw refused(`it is ${String(sent)}; give a text or { data }`);
  const { data, event, id, retry } = sent;
  let lines = '';
  if (event !== undefined) lines += `event: ${oneLine('name', event)}\n`;
  if (id !== undefined) lines += `id: ${checkedId(String(id))}\n`;
  if (retry !== undefined) lines += retryLine(retry);
  return lines + dataLines(typeof data === 'string' ? data : jsonOf(data));
}

/** The line that tells a client when to connect again. Throws a `TypeError` for what is no number of milliseconds. */
export function retryLine(retry: number): string {
  if (Number.isSafeInteger(retry) && retry >= 0) return `retry: ${retry}\n`;
  throw refused(`its retry is ${quoted(retry)}; give a whole number of milliseconds`);
}

const dataLines = (data: string): string => `data: ${data.replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`;

function jsonOf(data: unknown): string {
  const json = JSON.stringify(data) as string | undefined;
  if (json === undefined) throw refused('it has no data; give a text, or a value that JSON has, null for none');
  return json;
}

function checkedId(id: string): string {
  if (id.includes('\0')) throw refused(`its id ${quoted(id)} has U+0000, with which clients ignore it; encode it`);
  if (Buffer.byteLength(id) > MAX_ID_BYTES)
    throw refused(`its id has more than ${MAX_ID_BYTES} bytes; give one that a header can carry back`);
  return oneLine('id', id);
}

function oneLine(what: string, text: unknown): string {
  if (typeof text !== 'string') throw refused(`its ${what} is ${quoted(text)}; give a text`);
  if (/[\r\n]/.test(text)) throw refused(`its ${what} ${quoted(text)} has a line break; only its data can have one`);
  return text;
}

const refused = (fault: string): TypeError => new TypeError(`Cannot send the event: ${fault}`);

/** The id in `Last-Event-ID`; undefined for none, and for one that no event of this service had. */
export function lastEventId(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers['last-event-id'];
  if (typeof sent !== 'string' || sent === '' || sent.length > MAX_ID_BYTES) return undefined;
  try {
    // Node decodes a header as Latin-1; browsers write an id in UTF-8.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(sent, 'latin1'));
  } catch {
    return sent;
  }
}

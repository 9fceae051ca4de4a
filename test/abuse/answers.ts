/**
 * Reads what came back on a connection, strictly (RFC 9112): every byte belongs to an answer, every answer is framed
 * and whole.
 *
 * An answer whose end could only be told by the end of the connection counts as broken, as does a byte too many.
 */

/** One answer. Names are in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** What was on the wire. */
export interface Received {
  /** Final answers, in order. */
  readonly answers: readonly Answer[];
  /** How many `100 Continue` there were. */
  readonly interim: number;
  /** What is wrong with the bytes behind the last whole answer; undefined when nothing is. */
  readonly fault?: string;
  /** The bytes end inside an answer. */
  readonly cut?: boolean;
}

/** Reads them all. `isHead` says whether an answer is to a HEAD request, and so has no body. */
export function readAnswers(
  bytes: Buffer,
  isHead: (answer: Pick<Answer, 'status' | 'headers'>, index: number) => boolean = () => false,
): Received {
  const answers: Answer[] = [];
  let at = 0;
  let interim = 0;
  const broken = (fault: string, cut = false): Received => ({ answers, interim, fault: `${fault} at byte ${at}`, cut });
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end < 0) return broken('a head without an end', true);
    const head = readHead(bytes.toString('latin1', at, end));
    if (typeof head === 'string') return broken(head);
    const { status, headers } = head;
    if (status === 100) {
      interim++;
      at = end + 4;
      continue;
    }
    if (status < 200) return broken(`status ${status}`);
    const empty = status === 204 || status === 304 || isHead(head, answers.length);
    const body = empty ? { length: 0, content: Buffer.alloc(0) } : readBody(bytes.subarray(end + 4), headers);
    if (typeof body === 'string') return broken(body, body === CUT);
    answers.push({ status, headers, body: body.content });
    at = end + 4 + body.length;
  }
  return { answers, interim };
}

const CUT = 'an answer that is cut';
/** Names that may stand in an answer more than once. */
const REPEATABLE = new Set(['vary', 'link']);

function readHead(text: string): string | { status: number; headers: Map<string, string> } {
  const [first = '', ...lines] = text.split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]+$/.exec(first)?.[1];
  if (status === undefined) return `no status line but ${JSON.stringify(first.slice(0, 60))}`;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+): ?([\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
    if (name === undefined) return `no header line but ${JSON.stringify(line.slice(0, 60))}`;
    if (headers.has(name.toLowerCase()) && !REPEATABLE.has(name.toLowerCase())) return `${name} twice`;
    headers.set(name.toLowerCase(), value!);
  }
  return { status: Number(status), headers };
}

function readBody(bytes: Buffer, headers: ReadonlyMap<string, string>): string | { length: number; content: Buffer } {
  const length = headers.get('content-length');
  if (headers.get('transfer-encoding') === 'chunked')
    return length === undefined ? readChunks(bytes) : 'two kinds of framing';
  if (length === undefined || !/^\d+$/.test(length))
    return `an answer without framing: ${[...headers].join(' ').slice(0, 200)}`;
  return bytes.length < Number(length) ? CUT : { length: Number(length), content: bytes.subarray(0, Number(length)) };
}

function readChunks(bytes: Buffer): string | { length: number; content: Buffer } {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return CUT;
    const size = /^[0-9a-f]+$/i.test(bytes.toString('latin1', at, end))
      ? Number.parseInt(bytes.toString('latin1', at, end), 16)
      : undefined;
    if (size === undefined) return 'a broken chunk';
    const next = end + 2 + size + 2;
    if (bytes.length < next) return CUT;
    if (bytes.toString('latin1', next - 2, next) !== '\r\n') return 'a chunk without its end';
    if (size === 0) return { length: next, content: Buffer.concat(parts) };
    parts.push(bytes.subarray(end + 2, next - 2));
    at = next;
  }
}

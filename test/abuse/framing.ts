/**
 * How many requests a stream of bytes holds, by the letter of RFC 9112: what a service may answer at most.
 *
 * Written apart from the service and stricter than its parser: whoever answers more often than this has taken a part of
 * a request for another one.
 */

/** What the bytes are. */
export interface Framing {
  /** The methods of the requests whose head is whole and sound, in order. */
  readonly methods: readonly string[];
  /** The same by the id that they brought. */
  readonly methodsById: ReadonlyMap<string, string>;
  /** Most answers that may come: one more where the bytes end inside a head, or in one that is no head. */
  readonly most: number;
  /** The first word of what is no sound head. */
  readonly refused?: string;
  /** Every request is whole, nothing stands behind the last one, and none asks for the end of the connection. */
  readonly clean: boolean;
}

/** Reads a stream that begins with a request. */
export function framingOf(bytes: Buffer): Framing {
  const methods: string[] = [];
  const methodsById = new Map<string, string>();
  const ends = (most = methods.length): Framing => ({ methods, methodsById, most, clean: false });
  let at = 0;
  for (;;) {
    while (bytes[at] === 13 || bytes[at] === 10) at++;
    if (at >= bytes.length) return { ...ends(), clean: true };
    const end = bytes.indexOf('\r\n\r\n', at);
    const head = end < 0 ? undefined : headOf(bytes.toString('latin1', at, end));
    if (head === undefined)
      return { ...ends(methods.length + 1), refused: /^[A-Z]*/.exec(bytes.toString('latin1', at, at + 20))![0] };
    methods.push(head.method);
    for (const [name, value] of head.fields) if (name === 'x-request-id') methodsById.set(value, head.method);
    const body = bodyLength(bytes.subarray(end + 4), head.fields);
    if (body === undefined || head.last) return ends();
    at = end + 4 + body;
  }
}

interface Head {
  readonly method: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly last: boolean;
}

function headOf(text: string): Head | undefined {
  const [first = '', ...lines] = text.split('\r\n');
  const [, method, , minor] = /^([A-Z-]+) +([^\s\0]+) +HTTP\/1\.([01])$/.exec(first) ?? [];
  const fields = lines.map((line) => /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*$/.exec(line));
  if (method === undefined || fields.includes(null)) return undefined;
  const named = fields.map((field) => [field![1]!.toLowerCase(), field![2]!.toLowerCase()] as const);
  const connection = named
    .filter(([name]) => name === 'connection')
    .map(([, value]) => value)
    .join(',');
  const closes = connection.includes('close') || (minor === '0' && !connection.includes('keep-alive'));
  return { method, fields: named, last: closes || method === 'CONNECT' || named.some(([name]) => name === 'upgrade') };
}

/**
 * Bytes of the body, framing included; undefined where it is broken, not whole, or framed in a way that must not be
 * trusted.
 */
function bodyLength(bytes: Buffer, fields: readonly (readonly [string, string])[]): number | undefined {
  const lengths = fields.filter(([name]) => name === 'content-length');
  const codings = fields.filter(([name]) => name === 'transfer-encoding');
  if (lengths.length + codings.length === 0) return 0;
  if (lengths.length + codings.length > 1) return undefined;
  if (codings.length === 1) return codings[0]![1] === 'chunked' ? chunkedLength(bytes) : undefined;
  const length = /^\d{1,15}$/.test(lengths[0]![1]) ? Number(lengths[0]![1]) : Infinity;
  return length <= bytes.length ? length : undefined;
}

function chunkedLength(bytes: Buffer): number | undefined {
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    const size = end < 0 ? null : /^([0-9a-f]{1,12})(?:[ \t]*;.*)?$/i.exec(bytes.toString('latin1', at, end));
    if (size === null) return undefined;
    at = end + 2 + Number.parseInt(size[1]!, 16);
    if (size[1]!.replaceAll('0', '') === '') {
      const stop = bytes.indexOf('\r\n\r\n', end);
      return stop < 0 ? undefined : stop + 4;
    }
    if (bytes.toString('latin1', at, at + 2) !== '\r\n') return undefined;
    at += 2;
  }
}

/**
 * What a request asked for that Node's parser refused: its method and its path, read from the packet that was refused.
 *
 * The packet may hold other requests in front, so the line is looked for backwards from where the parser gave up. What was in an
 * earlier packet is not there any more: then the method and the path are not known.
 */
/** What the parser says of where it gave up. */
export interface RefusedPacket {
  readonly rawPacket?: Buffer;
  /** In bytes, from the beginning of the packet. */
  readonly bytesParsed?: number;
}

/** The beginning of a request as it was sent. */
export interface RequestLine {
  readonly method: string;
  /** Percent-encoded, without a query; undefined for a target that is no path. */
  readonly path: string | undefined;
}

/** More of a packet is not looked at. */
const LONGEST = 16 * 1024;
/** A method, a space and a path or an absolute URI, as far as it can be read. A header line has a colon in place of the space. */
const LINE = /^([!#$%&'*+.^_`|~\w-]{1,64}) (\/[!-~]*|\*|[a-z][a-z\d+.-]{0,31}:\/\/[!-~]*)/i;
/** What may follow the target in a line that is in order, as far as it has come in. */
const VERSION = /^(?:$| $| H| HT| HTT| HTTP| HTTP\/| HTTP\/1| HTTP\/1\.| HTTP\/1\.[01])$/;

/** The request line of a request whose method the parser does not know; undefined where the line is not one of HTTP/1. */
export function unknownMethodLine({ rawPacket, bytesParsed = 0 }: RefusedPacket): RequestLine | undefined {
  const packet = rawPacket?.subarray(0, bytesParsed + LONGEST).toString('latin1') ?? '';
  // The parser stops at the first character that no method goes on with: the letters in front of it began one.
  let start = bytesParsed;
  while (start > 0 && /[A-Z_-]/.test(packet[start - 1]!)) start--;
  const [line = ''] = packet.slice(start).split(/\r?\n/, 1),
    found = LINE.exec(line);
  return found !== null && VERSION.test(line.slice(found[0].length)) ? requestLine(found) : undefined;
}

/** The last request line in front of where the parser gave up. */
export function refusedLine({ rawPacket, bytesParsed = 0 }: RefusedPacket): RequestLine | undefined {
  const from = Math.max(0, bytesParsed - LONGEST);
  let found: RegExpExecArray | null = null,
    at = from;
  for (const line of rawPacket
    ?.subarray(from, bytesParsed + LONGEST)
    .toString('latin1')
    .split('\n') ?? []) {
    if (at > bytesParsed) break;
    found = LINE.exec(line) ?? found;
    at += line.length + 1;
  }
  return found === null ? undefined : requestLine(found);
}

const requestLine = ([, method = '', target = '']: RegExpExecArray): RequestLine => ({ method, path: pathIn(target) });

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** The path of a target that begins with a slash or is an absolute URI; undefined for any other. */
export function pathIn(target: string): string | undefined {
  const path = target.replace(ORIGIN, '');
  if (path.startsWith('/')) return /^[^?#]*/.exec(path)![0];
  return path.length < target.length ? '/' : undefined;
}

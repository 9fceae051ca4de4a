/**
 * Finds the method and the path of a request that Node's parser refused, in the packet that it refused.
 *
 * The packet may begin with other requests, so the search goes backwards from where the parser failed.
 */

/** An error of Node's parser, or of the socket. The parser failed `bytesParsed` behind the start of `rawPacket`. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** As it was sent. The path is percent-encoded and without a query; undefined for a target that is not a path. */
type RequestLine = { readonly method: string; readonly path: string | undefined };

/** How much of a packet is searched on each side, in bytes. */
const MAX_SEARCH = 16 * 1024;
/** A method, a space, and a path or an absolute URI. A header line has a colon before its first space. */
const LINE = /^([!#$%&'*+.^_`|~\w-]{1,64}) (\/[!-~]*|\*|[a-z][a-z\d+.-]{0,31}:\/\/[!-~]*)/i;
/** What may follow the target in a valid line, as far as it has come in. */
const VERSION = /^(?:$| $| H| HT| HTT| HTTP| HTTP\/| HTTP\/1| HTTP\/1\.| HTTP\/1\.[01])$/;

/** The request line whose method the parser does not know; undefined where the rest of the line is not HTTP/1 (D53). */
export function unknownMethodLine({ rawPacket, bytesParsed = 0 }: ParserError): RequestLine | undefined {
  const packet = rawPacket?.subarray(0, bytesParsed + MAX_SEARCH).toString('latin1') ?? '';
  // The parser fails at the first character that continues no known method.
  let start = bytesParsed;
  while (start > 0 && /[A-Z_-]/.test(packet[start - 1]!)) start--;
  const [line = ''] = packet.slice(start).split(/\r?\n/, 1);
  const found = LINE.exec(line);
  return found !== null && VERSION.test(line.slice(found[0].length)) ? requestLine(found) : undefined;
}

/** The last request line before the place where the parser failed. */
export function refusedLine({ rawPacket, bytesParsed = 0 }: ParserError): RequestLine | undefined {
  const from = Math.max(0, bytesParsed - MAX_SEARCH);
  const searched = rawPacket?.subarray(from, bytesParsed + MAX_SEARCH).toString('latin1') ?? '';
  let found: RegExpExecArray | null = null;
  let at = from;
  for (const line of searched.split('\n')) {
    if (at > bytesParsed) break;
    found = LINE.exec(line) ?? found;
    at += line.length + 1;
  }
  return found === null ? undefined : requestLine(found);
}

const requestLine = ([, method = '', target = '']: RegExpExecArray): RequestLine => ({ method, path: pathIn(target) });

/** The path of a target that begins with a slash or is an absolute URI; undefined for any other target. */
export function pathIn(target: string): string | undefined {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  if (path.startsWith('/')) return /^[^?#]*/.exec(path)![0];
  return path.length < target.length ? '/' : undefined;
}

/**
 * Undoes the content coding of a request body under the same limit as any body (RFC 9110 §8.4.1): a hundred bytes of
 * gzip can stand for a gigabyte, so decoding stops at the limit instead of measuring what came out.
 */
import { promisify } from 'node:util';
import { HttpProblem } from './problem.ts';

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

/** A header line without a value names no coding, like one that is not there (RFC 9110 §5.6.1). */
const NAMES: Readonly<Record<string, 'gunzip' | 'inflate' | 'brotliDecompress' | undefined>> =
  { '': undefined, 'gzip': 'gunzip', 'x-gzip': 'gunzip', 'deflate': 'inflate', 'br': 'brotliDecompress', 'identity': undefined };

/** Is this a value of Content-Encoding that can be undone here? */
export const isContentCoding = (value: string): boolean => Object.hasOwn(NAMES, value.trim().toLowerCase());

/** The decoded bytes. Rejects with `tooLarge()` beyond `limit` bytes, with a 400 when the bytes are not in that coding (D3). */
export async function decodeContent(bytes: Uint8Array, coding: string, limit: number, tooLarge: () => HttpProblem): Promise<Uint8Array> {
  const name = NAMES[coding.trim().toLowerCase()];
  if (name === undefined || bytes.length === 0) return bytes;
  // Few bodies are compressed, and the module takes its time to load.
  const zlib = await import('node:zlib');
  const decode = promisify(zlib[name]) as unknown as Decoder;
  try {
    return await decode(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new HttpProblem(400, `The body is not what its Content-Encoding says: the ${coding.trim()} data cannot be decoded`);
  }
}

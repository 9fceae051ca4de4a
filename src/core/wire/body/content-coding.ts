/** Decodes the content coding of a request body within the limits of any body (RFC 9110 §8.4.1). */
import type { Transform } from 'node:stream';
import { HttpProblem } from '../../message/problem.ts';

/** An empty value names no coding, as an absent header does (RFC 9110 §5.6.1). */
const DECODERS: Readonly<Record<string, 'createGunzip' | 'createInflate' | 'createBrotliDecompress' | undefined>> = {
  '': undefined,
  gzip: 'createGunzip',
  'x-gzip': 'createGunzip',
  deflate: 'createInflate',
  br: 'createBrotliDecompress',
  identity: undefined,
};

/** Whether `decodeContent` knows this value of Content-Encoding. */
export const isContentCoding = (value: string): boolean => Object.hasOwn(DECODERS, value.trim().toLowerCase());

/**
 * The decoded bytes. Rejects with 400 for bytes that are not in `coding`, and with what `check` returns for the length
 * of a decoded chunk and of all so far (D3).
 */
export async function decodeContent(
  bytes: Uint8Array,
  coding: string,
  check: (length: number, soFar: number) => HttpProblem | undefined,
): Promise<Uint8Array> {
  const name = DECODERS[coding.trim().toLowerCase()];
  if (name === undefined || bytes.length === 0) return bytes;
  // The module takes time to load, and few bodies need it.
  const zlib = await import('node:zlib');
  const decoder: Transform & { readonly bytesWritten: number } = zlib[name]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const refuse = (error: HttpProblem): void => {
      decoder.destroy();
      reject(error);
    };
    const malformed = `The body is not what its Content-Encoding says: the ${coding.trim()} data cannot be decoded`;
    const refuseMalformed = (): void => refuse(new HttpProblem(400, malformed));
    decoder.on('data', (chunk: Uint8Array) => {
      length += chunk.length;
      const error = check(chunk.length, length);
      if (error !== undefined) return refuse(error);
      chunks.push(chunk);
    });
    decoder.on('error', refuseMalformed);
    // The decoder ignores bytes behind the coded data.
    decoder.on('end', () =>
      decoder.bytesWritten === bytes.length ? resolve(Buffer.concat(chunks)) : refuseMalformed(),
    );
    decoder.end(bytes);
  });
}

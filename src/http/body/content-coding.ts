/**
 * Undoes the content coding of a request body under the same limits as any body (RFC 9110 §8.4.1): a hundred bytes of
 * gzip can stand for a gigabyte, so each piece that comes out is judged before the next is made.
 */
import type { Transform } from 'node:stream';
import { HttpProblem } from '../message/problem.ts';

/** A header line without a value names no coding, like one that is not there (RFC 9110 §5.6.1). */
const NAMES: Readonly<Record<string, 'createGunzip' | 'createInflate' | 'createBrotliDecompress' | undefined>> = {
  '': undefined,
  gzip: 'createGunzip',
  'x-gzip': 'createGunzip',
  deflate: 'createInflate',
  br: 'createBrotliDecompress',
  identity: undefined,
};

/** Is this a value of Content-Encoding that can be undone here? */
export const isContentCoding = (value: string): boolean => Object.hasOwn(NAMES, value.trim().toLowerCase());

/** Judges a piece that was decoded, by its length and that of all so far; gives the error that ends the decoding, or undefined. */
export type PieceJudge = (length: number, soFar: number) => HttpProblem | undefined;

/**
 * The decoded bytes. Rejects with what `judge` gives, and with a 400 when the bytes are not in that coding or others stand behind
 * them (D3).
 */
export async function decodeContent(bytes: Uint8Array, coding: string, judge: PieceJudge): Promise<Uint8Array> {
  const name = NAMES[coding.trim().toLowerCase()];
  if (name === undefined || bytes.length === 0) return bytes;
  // Few bodies are compressed, and the module takes its time to load.
  const zlib = await import('node:zlib');
  const decoder: Transform & { readonly bytesWritten: number } = zlib[name]();
  const pieces: Uint8Array[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const refuse = (error: HttpProblem): void => {
      decoder.destroy();
      reject(error);
    };
    const malformed = (): void =>
      refuse(
        new HttpProblem(
          400,
          `The body is not what its Content-Encoding says: the ${coding.trim()} data cannot be decoded`,
        ),
      );
    decoder.on('data', (piece: Uint8Array) => {
      length += piece.length;
      const error = judge(piece.length, length);
      if (error !== undefined) return refuse(error);
      pieces.push(piece);
    });
    decoder.on('error', malformed);
    // Whatever stands behind the coded data the decoder passes over in silence.
    decoder.on('end', () => (decoder.bytesWritten === bytes.length ? resolve(Buffer.concat(pieces)) : malformed()));
    decoder.end(bytes);
  });
}

/**
 * Splits the bytes of a form into its parts (D74): `multipart/form-data` with the parser of Node, which is loaded when
 * it is first used.
 *
 * That parser takes time in proportion to the number of parts and of lines in their heads, 50 µs for a file without a
 * byte. A scan counts both before.
 */
import { HttpProblem } from '../../index.ts';

export const MULTIPART = 'multipart/form-data';
export const URL_ENCODED = 'application/x-www-form-urlencoded';

/** What was sent under one name: texts and files in their order. */
export type SentParts = readonly (readonly [name: string, value: string | File])[];

const MAX_PARTS = 1000;
/** Of the heads of all parts together, in bytes. */
const MAX_HEADS = 256 * 1024;
const DASH = 45;

/** The parts of a multipart body. Rejects with an `HttpProblem`: 400 for one that is malformed, 413 for too many. */
export async function multipartParts(bytes: Uint8Array, boundary: string): Promise<SentParts> {
  assertParts(bytes, boundary);
  const headers = { 'content-type': `${MULTIPART}; boundary="${boundary}"` };
  // The type of Node says `FormDataEntryValue`, of which a text or a file is all.
  return new Response(bytes, { headers }).formData().then(
    (form) => [...form] as SentParts,
    () => {
      throw malformed();
    },
  );
}

/** The parts of a body in the coding of a query, in UTF-8. Throws an `HttpProblem` 413 for too many. */
export function urlEncodedParts(bytes: Uint8Array): SentParts {
  let parts = 1;
  for (let at = bytes.indexOf(AMPERSAND); at >= 0; at = bytes.indexOf(AMPERSAND, at + 1)) assertCount(++parts);
  return [...new URLSearchParams(new TextDecoder().decode(bytes))];
}
const AMPERSAND = 38;

function assertParts(bytes: Uint8Array, boundary: string): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  if (buffer.indexOf(delimiter) !== 0) throw malformed();
  // A form without parts; parsers of Node differ in what they take behind its end.
  const rest = buffer.subarray(delimiter.length, delimiter.length + 4).toString('latin1');
  if (rest.startsWith('--') && rest !== '--' && rest !== '--\r\n') throw malformed();
  let heads = 0;
  for (let at = 0, next = 0, delimiters = 0; next >= 0; ) {
    at = next + delimiter.length;
    next = buffer.indexOf(delimiter, at);
    // The last one is behind the last part. Those behind it count too: each takes time.
    assertCount(delimiters++);
    if (buffer[at] === DASH && buffer[at + 1] === DASH) continue;
    // Searched as far as the part goes: of heads without an end, each byte is read once.
    const part = buffer.subarray(at, next < 0 ? buffer.length : next);
    const head = part.indexOf('\r\n\r\n');
    heads += head < 0 ? part.length : head;
    if (heads > MAX_HEADS)
      throw new HttpProblem(413, `The heads of the parts of the form are longer than ${MAX_HEADS} bytes together`);
  }
}

function assertCount(parts: number): void {
  if (parts > MAX_PARTS) throw new HttpProblem(413, `The form has more than ${MAX_PARTS} parts`);
}

const malformed = (): HttpProblem =>
  new HttpProblem(400, 'The body is not multipart/form-data with the boundary that its Content-Type names');

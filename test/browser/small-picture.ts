/** Stores a picture of a page as a small PNG, together with the text that it shows. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { crc32, deflateSync, inflateSync } from 'node:zlib';

/**
 * Asserts that the picture in the guide shows this text. With `PICTURES=1` it first writes the picture: with a palette of
 * 16 colours, so that the package stays small, and with the text as its comment. `png` has RGB pixels of 8 bits.
 */
export async function assertPictured(name: string, text: string, png: () => Promise<Buffer>): Promise<void> {
  const file = new URL(`../../src/guide/${name}`, import.meta.url);
  if (process.env['PICTURES'] !== undefined) writeFileSync(file, smallPicture(await png(), text));
  const remedy = `${name} does not show the page as it is: run PICTURES=1 npm run test:browser`;
  assert.ok(readFileSync(file).includes(commentOf(text)), remedy);
}

const commentOf = (text: string): Buffer => Buffer.from(`Comment\0\0\0\0\0${text}`);

function smallPicture(png: Buffer, text: string): Buffer {
  const head = Buffer.from(png.subarray(16, 29));
  const width = head.readUInt32BE(0);
  const pixels = pixelsOf(png, width * 3);
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const colours = [...counts.keys()].sort((one, other) => counts.get(other)! - counts.get(one)!);
  const palette = colours.slice(0, 16);
  const places = new Map(colours.map((colour) => [colour, nearest(palette, colour)]));
  const placeAt = (at: number): number => places.get(pixels[at]!)!;
  // Two pixels are one byte. The pictures have an even width.
  const rows = Array.from({ length: pixels.length / width }, (_, y) =>
    Buffer.from([
      0,
      ...Array.from(
        { length: width / 2 },
        (_, x) => (placeAt(y * width + 2 * x) << 4) | placeAt(y * width + 2 * x + 1),
      ),
    ]),
  );
  head[8] = 4;
  head[9] = 3;
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flatMap(bytesOf))),
    chunk('iTXt', commentOf(text)),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns the pixels as numbers. Each line begins with the number of its filter, which is undone here. */
function pixelsOf(png: Buffer, length: number): number[] {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const data = inflateSync(Buffer.concat(parts));
  const pixels: number[] = [];
  let above = new Uint8Array(length);
  for (let start = 0; start < data.length; start += length + 1) {
    const line = Uint8Array.from(data.subarray(start + 1, start + 1 + length));
    for (let x = 0; x < length; x++)
      line[x]! += predicted(data[start]!, line[x - 3] ?? 0, above[x]!, above[x - 3] ?? 0);
    for (let x = 0; x < length; x += 3) pixels.push((line[x]! << 16) | (line[x + 1]! << 8) | line[x + 2]!);
    above = line;
  }
  return pixels;
}

/** Returns the byte that a filter predicts from its neighbours (PNG, clause 9). */
function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter < 4) return [0, left, up, (left + up) >> 1][filter]!;
  const estimate = left + up - corner;
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(estimate - one)) as [number, number, number];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

const bytesOf = (colour: number): [number, number, number] => [colour >> 16, (colour >> 8) & 255, colour & 255];

function nearest(palette: readonly number[], colour: number): number {
  const [red, green, blue] = bytesOf(colour);
  const distances = palette.map(bytesOf).map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2);
  return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, data: Buffer): Buffer {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type), data]);
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

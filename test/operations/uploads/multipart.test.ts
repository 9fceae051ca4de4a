/** Multipart bodies, parsed while they arrive (D74; RFC 2046 §5.1, RFC 7578). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpProblem } from '../../../src/core/message/problem.ts';
import { textOf } from '../../../src/operations/uploads/form-text.ts';
import { Multipart, type PartHead } from '../../../src/operations/uploads/multipart.ts';

const BOUNDARY = "a'()+_,-./:=?B";
type Read = readonly (readonly [name: string, fileName: string | undefined, type: string, content: string])[];

async function* piecesOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

const FORM = { boundary: BOUNDARY, charset: undefined, refused: (detail: string) => new HttpProblem(415, detail) };
const namesOf = ({ name, fileName }: PartHead) => [textOf(name, FORM), fileName && textOf(fileName, FORM)] as const;

/** The parts of a body that arrives in these pieces. */
async function read(pieces: readonly Uint8Array[], boundary = BOUNDARY): Promise<Read> {
  const parts = new Multipart(piecesOf(pieces), boundary);
  const all: (readonly [string, string | undefined, string, string])[] = [];
  for (let part = await parts.next(); part !== undefined; part = await parts.next())
    all.push([...namesOf(part), part.type, Buffer.concat(await parts.content()).toString('latin1')]);
  return all;
}

const head = (disposition: string, more = ''): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}`;
const part = (disposition: string, content: string, more?: string): string =>
  `${head(disposition, more)}\r\n${content}\r\n`;
const END = `--${BOUNDARY}--`;

const ALMOST = `\r\n--${BOUNDARY.slice(0, -1)}`;
const BODY = [
  `preamble${ALMOST}\r\n`,
  part('name="first"', `${ALMOST}\r\n\r\r\n-\r\n--${ALMOST}`),
  part('name="empty"', ''),
  // RFC 2046 §5.1.1: the content may be absent, together with the line break before it.
  `${head('name="absent"')}\r\n`,
  `--${BOUNDARY} \t\r\ncontent-disposition:form-data;name=token\r\n\r\nx--${BOUNDARY}\r\n`,
  part('name="file"; filename="a.bin"', '\0\xff\r\n', 'Content-Type: image/png; a="b"\r\n'),
  `${END}\t\r\nepilogue\r\n${part('name="behind"', 'x')}`,
].join('');
const PARTS: Read = [
  ['first', undefined, 'text/plain', `${ALMOST}\r\n\r\r\n-\r\n--${ALMOST}`],
  ['empty', undefined, 'text/plain', ''],
  ['absent', undefined, 'text/plain', ''],
  ['token', undefined, 'text/plain', `x--${BOUNDARY}`],
  ['file', 'a.bin', 'image/png; a="b"', '\0\xff\r\n'],
];

test('D74 – a body in two pieces, split at each position → the same parts', async () => {
  const bytes = Buffer.from(BODY, 'latin1');
  for (let at = 0; at <= bytes.length; at++)
    assert.deepEqual(await read([bytes.subarray(0, at), bytes.subarray(at)]), PARTS, `cut at ${at}`);
});

test('D74 – a body byte by byte → the same parts', async () => {
  assert.deepEqual(await read(Array.from(Buffer.from(BODY, 'latin1'), (byte) => Buffer.of(byte))), PARTS);
});

test('D74 – a body that ends at any byte before the end of its last delimiter → 400', async () => {
  const bytes = Buffer.from(BODY.slice(0, BODY.indexOf(END) + END.length - 1), 'latin1');
  for (let length = 0; length <= bytes.length; length++)
    await assert.rejects(read([bytes.subarray(0, length)]), refusedWith(400), `${length} bytes`);
});

const refusedWith = (status: number) => (error: unknown) => error instanceof HttpProblem && error.status === status;

for (const [what, sent, name, fileName] of [
  ['a name in quotes', 'name="a b; c=d"', 'a b; c=d', undefined],
  ['a quote as browsers write it', 'name="a%22%0d%0Ab%20"', 'a"\r\nb%20', undefined],
  ['a quote as other clients write it', 'name="a\\"\\\\b"', 'a"\\b', undefined],
  ['a path of Windows', 'name=a; filename="C:\\dir\\a.txt"', 'a', 'C:\\dir\\a.txt'],
  ['letters of UTF-8', 'name="ü"; filename="日本.txt"', 'ü', '日本.txt'],
  ['filename* after the plain name', 'name=a; filename="n.txt"; filename*=UTF-8\'\'n%C3%A4ive.txt', 'a', 'näive.txt'],
  ['filename* alone', "name=a; filename*=utf-8'en'n.txt", 'a', 'n.txt'],
  ['filename* that is malformed', 'name=a; filename="n.txt"; filename*=UTF-8\'\'%C3', 'a', 'n.txt'],
  ['filename* of another charset', 'name=a; filename="n.txt"; filename*=KOI8-R\'\'%C1.txt', 'a', 'а.txt'],
  ['filename* of an unknown charset', 'name=a; filename="n.txt"; filename*=KOI9\'\'%C1', 'a', 'n.txt'],
  ['a backslash at the end', 'name="a\\"; filename="C:\\dir\\"', 'a\\', 'C:\\dir\\'],
  ['a backslash alone', 'filename="\\"; name="\\"', '\\', '\\'],
  ['a backslash at the end of a name, a file called ;', 'name="a\\"; filename=";"', 'a\\', ';'],
  ['a backslash at the end, a quote of browsers', 'name="a%22\\"; filename="; y=%22"', 'a"\\', '; y="'],
  ['folded lines', '\r\n name="a b";\r\n\tfilename="c\r\n d"', 'a b', 'c d'],
  ['a folded line before it', 'name=a\r\nX: y\r\n z: w\r\n \t\r\nContent-Type: text/css', 'a', undefined],
  ['an empty file name', 'name=a; filename=""', 'a', ''],
  ['unknown parameters', 'Name=a ; size="3"; x=', 'a', undefined],
] as const)
  test(`D74 – a disposition with ${what} → its name and file name`, async () => {
    const body = Buffer.from(part(sent, 'x') + END);
    const [[gotName, gotFileName] = []] = await read([body]);
    assert.deepEqual([gotName, gotFileName], [name, fileName]);
  });

for (const [what, body, status] of [
  ['another boundary', part('name=a', 'x').replaceAll(BOUNDARY, 'other') + END.slice(0, -2), 400],
  ['no disposition', `--${BOUNDARY}\r\nContent-Type: a/b\r\n\r\nx\r\n${END}`, 400],
  ['two dispositions', part('name=a', 'x', 'Content-Disposition: form-data; name=b\r\n') + END, 400],
  ['another disposition', part('name=a', 'x').replace('form-data', 'attachment') + END, 400],
  ['two names', part('name=a; name=b', 'x') + END, 400],
  ['no name', part('filename=a', 'x') + END, 400],
  ['a name without an end', part('name="a', 'x') + END, 400],
  ['a quote within a name', part('name="a"b\\"', 'x') + END, 400],
  ['a file name that cannot be read', part("name=a; filename*=KOI9''%C1", 'x') + END, 400],
  ['a folded line before the first header', part('name=a', 'x').replace('\r\n', '\r\n X: y\r\n') + END, 400],
  ['a line without a colon', part('name=a', 'x', 'Content-Type\r\n') + END, 400],
  ['a header on the line of the boundary', part('name=a', 'x').replace('\r\n', 'x: y\r\n') + END, 400],
  ['a delimiter with text after it', part('name=a', `x\r\n--${BOUNDARY}more`) + END, 400],
  ['a last delimiter with text after it', `${part('name=a', 'x')}${END}more`, 400],
  ['a coding', part('name=a', 'eA==', 'Content-Transfer-Encoding: base64\r\n') + END, 400],
  ['a head of 16 KiB', part('name=a', 'x', `X: ${'x'.repeat(16 * 1024)}\r\n`) + END, 413],
  ['a head without an end', `--${BOUNDARY}\r\nX: ${'x'.repeat(20_000)}`, 413],
  ['1,001 parts', part('name=a', '').repeat(1001) + END, 413],
] as const)
  test(`D74 – a body with ${what} → ${status}`, async () => {
    await assert.rejects(read([Buffer.from(body)]), refusedWith(status));
    await assert.rejects(read(Array.from(Buffer.from(body.slice(0, 17_000)), (byte) => Buffer.of(byte))), HttpProblem);
  });

test('D74 – an unread part → skipped; the next part is complete', async () => {
  const bytes = Buffer.from(part('name=a', 'x'.repeat(1000)) + part('name=b', 'y') + END);
  const parts = new Multipart(piecesOf([bytes.subarray(0, 200), bytes.subarray(200)]), BOUNDARY);
  await parts.next();
  assert.ok((await parts.piece())!.length > 0);
  assert.equal(namesOf((await parts.next())!)[0], 'b');
  assert.equal(String(await parts.piece()), 'y');
  assert.equal(await parts.piece(), undefined);
  assert.equal(await parts.next(), undefined);
});

test('D74 – 6,000 pieces of one byte → at most 65 are stored, because each takes 200 bytes', async () => {
  const text = 'x'.repeat(6000);
  const bytes = Buffer.from(part('name=a', text) + END);
  const parts = new Multipart(piecesOf(Array.from(bytes, (byte) => Buffer.of(byte))), BOUNDARY);
  await parts.next();
  const content = await parts.content();
  assert.ok(content.length <= 65, `${content.length} pieces`);
  assert.equal(Buffer.concat(content).toString(), text);
});

test('D74 – a source that fails → the same error for each call', async () => {
  const fault = new Error('gone');
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(part('name=a', 'x').slice(0, -2));
    throw fault;
  }
  const parts = new Multipart(failing(), BOUNDARY);
  await parts.next();
  assert.equal(String(await parts.piece()), 'x');
  for (const ask of [() => parts.piece(), () => parts.next(), () => parts.piece()]) await assert.rejects(ask(), fault);
});

test('D74 – a piece of content → returned at once, without the last bytes if they may begin a delimiter', async () => {
  const parts = new Multipart(
    piecesOf([head('name=a'), '\r\n', 'abc', 'def\r\n-', 'ghi'].map((one) => Buffer.from(one))),
    BOUNDARY,
  );
  await parts.next();
  const pieces: string[] = [];
  for (let at = 0; at < 3; at++) pieces.push(String(await parts.piece()));
  assert.deepEqual(pieces, ['abc', 'def', '\r\n-ghi']);
});

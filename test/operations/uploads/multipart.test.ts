/** Multipart bodies (D74; RFC 2046 §5.1, RFC 7578). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpProblem } from '../../../src/core/http/problem.ts';
import { partsOf } from '../../../src/operations/uploads/multipart.ts';

const BOUNDARY = "a'()+_,-./:=?B";

/** The parts of a body: the name, the file name, the media type and the content of each. */
const read = (body: Uint8Array, boundary = BOUNDARY) =>
  partsOf(body, boundary).map(({ name, fileName, type, content }) => [
    name,
    fileName,
    type,
    Buffer.from(content).toString('latin1'),
  ]);

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
const PARTS = [
  ['first', undefined, undefined, `${ALMOST}\r\n\r\r\n-\r\n--${ALMOST}`],
  ['empty', undefined, undefined, ''],
  ['absent', undefined, undefined, ''],
  ['token', undefined, undefined, `x--${BOUNDARY}`],
  ['file', 'a.bin', 'image/png; a="b"', '\0\xff\r\n'],
];

test('D74 – a body with a preamble, an empty part, an absent content and an epilogue → its parts', () => {
  assert.deepEqual(read(Buffer.from(BODY, 'latin1')), PARTS);
});

test('D74 – a body that begins with its first delimiter, and that of another body in its memory → its parts', () => {
  const sent = `xx${part('name=a', 'x')}${END}`;
  assert.deepEqual(read(new Uint8Array(Buffer.from(`${sent}${END}`)).subarray(2, sent.length)), [
    ['a', undefined, undefined, 'x'],
  ]);
});

test('D74 – a body that ends at any byte before the end of its last delimiter → 400', () => {
  const bytes = Buffer.from(BODY.slice(0, BODY.indexOf(END) + END.length - 1), 'latin1');
  for (let length = 0; length <= bytes.length; length++)
    assert.throws(() => read(bytes.subarray(0, length)), refusedWith(400), `${length} bytes`);
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
  ['filename* of another charset', 'name=a; filename="n.txt"; filename*=KOI8-R\'\'%C1.txt', 'a', 'n.txt'],
  ['a backslash at the end', 'name="a\\"; filename="C:\\dir\\"', 'a\\', 'C:\\dir\\'],
  ['a backslash alone', 'filename="\\"; name="\\"', '\\', '\\'],
  ['a backslash at the end of a name, a file called ;', 'name="a\\"; filename=";"', 'a\\', ';'],
  ['a backslash at the end, a quote of browsers', 'name="a%22\\"; filename="; y=%22"', 'a"\\', '; y="'],
  ['folded lines', '\r\n name="a b";\r\n\tfilename="c\r\n d"', 'a b', 'c d'],
  ['a folded line before it', 'name=a\r\nX: y\r\n z: w\r\n \t\r\nContent-Type: text/css', 'a', undefined],
  ['an empty file name', 'name=a; filename=""', 'a', ''],
  ['unknown parameters', 'Name=a ; size="3"; x=', 'a', undefined],
] as const)
  test(`D74 – a disposition with ${what} → its name and file name`, () => {
    const [[gotName, gotFileName] = []] = read(Buffer.from(part(sent, 'x') + END));
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
  ['a file name that cannot be read', part("name=a; filename*=KOI8-R''%C1", 'x') + END, 400],
  ['a folded line before the first header', part('name=a', 'x').replace('\r\n', '\r\n X: y\r\n') + END, 400],
  ['a line without a colon', part('name=a', 'x', 'Content-Type\r\n') + END, 400],
  ['a header on the line of the boundary', part('name=a', 'x').replace('\r\n', 'x: y\r\n') + END, 400],
  ['a delimiter with text after it', part('name=a', `x\r\n--${BOUNDARY}more`) + END, 400],
  ['a last delimiter with text after it', `${part('name=a', 'x')}${END}more`, 400],
  ['line feeds alone', `--${BOUNDARY}\nContent-Disposition: form-data; name=a\n\nx\n${END}\n`, 400],
  ['boundaries alone', `--${BOUNDARY}`.repeat(500), 400],
  ['many delimiters without an end', `${part('name=a', 'x')}${END.repeat(700)}`, 400],
  ['a head without an end', `--${BOUNDARY}\r\nX: ${'x'.repeat(20_000)}`, 413],
  ['a head that is not UTF-8', Buffer.from(part('name="\xfc"', 'x') + END, 'latin1'), 400],
] as const)
  test(`D74 – a body with ${what} → ${status}`, () => {
    assert.throws(() => read(Buffer.from(body)), refusedWith(status));
  });

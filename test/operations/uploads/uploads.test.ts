/** Bodies that are not JSON, over HTTP (D74). Every reply is checked against the description. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { application } from '../../../src/core/application/application.ts';
import { serve } from '../../../src/core/application/serve.ts';
import type { Limits } from '../../../src/core/http/limits.ts';
import { HttpService, listener } from '../../../src/core/server/service.ts';
import { ok } from '../../../src/operations/operation/results.ts';
import { operation } from '../../../src/operations/routes/operation-routes.ts';
import { byteStream, bytes, type FormBody, form } from '../../../src/operations/uploads/upload.ts';
import { verification } from '../../../src/testing.ts';
import { type Answer, ask, Client, type Question } from '../../support/ask.ts';
import { assertProblem } from '../../support/problem.ts';
import { serveHandler } from '../../support/serve.ts';
import { type Row, table } from '../../support/table.ts';

const responses = { 200: { schema: { type: 'object' } } } as const;
const answerOf = (value: object) => ok({ ...value } as Readonly<Record<string, unknown>>);

const operations = [
  operation({
    method: 'POST',
    path: 'bytes',
    body: bytes({ mediaTypes: ['image/png', 'text/*'], maxBytes: 30 }),
    responses,
    handle: ({ body }) => answerOf({ isBytes: body instanceof Uint8Array, hex: Buffer.from(body).toString('hex') }),
  }),
  operation({
    method: 'PATCH',
    path: 'any',
    body: bytes('*/*'),
    responses,
    handle: ({ body }) => answerOf({ n: body.length }),
  }),
  operation({
    method: 'PUT',
    path: 'stream/{name}',
    query: { size: { type: 'integer' } },
    body: byteStream({ mediaTypes: ['application/octet-stream'], maxBytes: 2 ** 21 }),
    responses,
    async handle({ body, query }) {
      const hash = createHash('sha256');
      await pipeline(body, hash);
      return answerOf({ hash: hash.digest('hex'), size: query.size });
    },
  }),
  operation({
    method: 'POST',
    path: 'form',
    body: form({
      title: { type: 'string', maxLength: 5, required: true },
      kind: { type: 'string', enum: ['a', 'b'], default: 'a' },
      count: { type: 'integer', maximum: 9 },
      on: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 5 }, maxItems: 2 },
      ids: { type: 'array', items: { type: 'integer' }, collectionFormat: 'pipes' },
      photo: { type: 'file', required: true, mediaTypes: ['image/*', 'text/plain'], maxBytes: 10 },
      more: { type: 'file' },
    }),
    responses,
    async handle({ body: { photo, more, ...texts } }) {
      const isFile = photo instanceof File && (more === undefined || more instanceof File);
      return answerOf({ ...texts, isFile, photo: [photo.name, photo.type, await photo.text()], more: more?.size });
    },
  }),
  operation({
    method: 'POST',
    path: 'album',
    body: form({
      photos: {
        type: 'array',
        items: { type: 'file', mediaTypes: ['image/*'], maxBytes: 5 },
        maxItems: 3,
        required: true,
      },
      others: { type: 'array', items: { type: 'file' } },
      cover: { type: 'file' },
    }),
    responses,
    handle: ({ body: { photos, others, cover } }) =>
      answerOf({
        photos: photos.map(({ name, size }) => [name, size]),
        others: others?.map(({ name }) => name),
        cover: cover?.name,
      }),
  }),
  operation({
    method: 'POST',
    path: 'plain',
    body: form({ name: { type: 'string' }, n: { type: 'integer' }, tags: { type: 'array' } }, { maxBytes: 100_000 }),
    responses,
    handle: ({ body }) => answerOf(body),
  }),
];

async function serveUploads(t: TestContext, limits: Partial<Limits> = {}): Promise<number> {
  const { handler, refuse } = application([verification(), { name: 'uploads', routes: operations }]);
  return (await serveHandler(t, handler, { refuse, limits })).port;
}

const FORM = 'application/x-www-form-urlencoded';
const PACKED = { 'Content-Encoding': 'gzip' };
const MULTIPART = 'multipart/form-data; boundary=XX';
const part = (disposition: string, value: string, type?: string): string =>
  `--XX\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${value}\r\n`;
const field = (name: string, value: string): string => part(`name="${name}"`, value);
const END = '--XX--\r\n';
const PAIR = Buffer.from([0, 255]);
const PHOTO = part('name="photo"; filename="ü b.png"', 'pixels', 'image/png');
const TITLE = field('title', 'T');
const WHOLE = TITLE + PHOTO + END;
const picture = (name: string, value: string): string => part(`name="photos"; filename="${name}"`, value, 'image/png');
const PICTURE = picture('a', 'x');
const others = (name: string): string => part(`name="others"; filename="${name}"`, 'x');
const unused = (name: string): string => part(`name="${name}"; filename=""`, '', 'application/octet-stream');
/** A photo whose file name is in Latin-1. */
const OLD_PHOTO = part('name="photo"; filename="\xfc.png"', 'x', 'image/png');
const REQUIRED = 'This parameter is required';
const withBody = (type: string | undefined, body: NonNullable<Question['body']>, more: Question['headers'] = {}) => ({
  headers: { ...(type !== undefined && { 'Content-Type': type }), ...more },
  body,
});
const multipart = (...parts: readonly string[]) => withBody(MULTIPART, [...parts, END].join(''));

interface Case extends Row {
  readonly request: Question;
  readonly status: number;
  /** The members of a success, or the headers and texts of a problem. */
  readonly expected: object | string;
}
const row = (question: string, target: string, request: Question, status: number, expected: object | string): Case => ({
  clause: 'D74',
  question: `${target}: ${question}`,
  answer: typeof expected === 'string' ? `${status} ${expected}` : String(status),
  request: { method: target === '/any' ? 'PATCH' : target.startsWith('/stream') ? 'PUT' : 'POST', target, ...request },
  status,
  expected,
});

/** A form in bytes, one for each character of `text`. */
const latin1 = (type: string, text: string) => withBody(type, Buffer.from(text, 'latin1'));
const NOT_MULTIPART = 'The body is not multipart/form-data with';
const NOT_UTF8 = 'A text of the form is not UTF-8; send it in UTF-8';
const refusedCharset = (charset = 'latin1') => `The form is in the charset "${charset}"; send it in UTF-8`;
const inCharset = (charset: string, value: string): string =>
  part('name="name"', value, `text/plain; charset=${charset}`);

const isRight = { isFile: true, title: 'T', kind: 'a', photo: ['ü b.png', 'image/png', 'pixels'] };
const HEX = { isBytes: true, hex: '00ff' };
const OCTETS = 'application/octet-stream';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function assertMembers(answer: Answer, expected: object): void {
  assert.equal(answer.status, 200, answer.text);
  const members = answer.json() as Readonly<Record<string, unknown>>;
  assert.equal(members['text'], undefined, 'the body is not read as JSON');
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(members[name], value, name);
}

table(
  [
    row('bytes', '/bytes', withBody('image/png', PAIR), 200, HEX),
    row('another spelling, with a parameter', '/bytes', withBody('Image/PNG; a="b;c"', PAIR), 200, HEX),
    row('a type of the range', '/bytes', withBody('text/css', PAIR), 200, HEX),
    row('compressed', '/bytes', withBody('image/png', gzipSync(PAIR), PACKED), 200, HEX),
    row('another type', '/bytes', withBody('image/jpeg', 'x'), 415, { accept: 'image/png, text/*' }),
    row('no type', '/bytes', withBody(undefined, 'x'), 415, { accept: 'image/png, text/*' }),
    row('an invalid type', '/bytes', withBody('png', 'x'), 415, { accept: 'image/png, text/*' }),
    row('no body', '/bytes', withBody('image/png', ''), 400, 'The request has no body; send one'),
    row('no body of another type', '/bytes', withBody('image/jpeg', ''), 400, 'The request has no body; send one'),
    row('as many bytes as the limit', '/bytes', withBody('text/plain', 'x'.repeat(30)), 200, { hex: '78'.repeat(30) }),
    row('one byte more', '/bytes', withBody('text/plain', 'x'.repeat(31)), 413, 'larger than 30 bytes'),
    row('one byte more, in chunks', '/bytes', withBody('text/plain', ['x'.repeat(31)]), 413, 'larger than 30'),
    row('one byte more, compressed', '/bytes', withBody('text/plain', gzipSync('x'.repeat(31)), PACKED), 413, 'larger'),
    row('any type', '/any', withBody('a/b', 'abc'), 200, { n: 3 }),
    row('not any type', '/any', withBody(undefined, 'x'), 415, { accept: '*/*', 'accept-patch': '*/*' }),
    row('a stream', '/stream/a?size=3', withBody(OCTETS, 'abc'), 200, { hash: hashOf('abc'), size: 3 }),
    row('a wrong parameter', '/stream/a?size=x', withBody(OCTETS, 'abc'), 400, 'The parameters do not match'),
    row('another type', '/stream/a', withBody('text/plain', 'abc'), 415, { accept: OCTETS }),
    row('compressed', '/stream/a', withBody(OCTETS, 'abc', PACKED), 415, { 'accept-encoding': 'identity' }),
    row('no body', '/stream/a', withBody(OCTETS, ''), 400, 'The request has no body; send one'),
    row('too much', '/stream/a', withBody(OCTETS, Buffer.alloc(2 ** 21 + 1)), 413, 'larger than 2097152 bytes'),
    row('too much in chunks', '/stream/a', withBody(OCTETS, [Buffer.alloc(2 ** 21 + 1)]), 413, 'larger'),
    row('a form', '/form', multipart(TITLE, PHOTO), 200, isRight),
    row(
      'every field; names ignore case, others are ignored',
      '/form',
      multipart(
        field('TITLE', 'T'),
        field('kind', 'b'),
        field('count', '7'),
        field('on', 'True'),
        field('tags', 'x'),
        field('tags', 'y,z'),
        field('ids', '1|2'),
        field('other', '1'),
        part('name="unknown"; filename="a"', ''),
        PHOTO,
        part('name="more"; filename="a.bin"', '\0\r\n--X', 'application/octet-stream'),
      ),
      200,
      { ...isRight, kind: 'b', count: 7, on: true, tags: ['x', 'y,z'], ids: [1, 2], more: 6 },
    ),
    row('an unused input', '/form', multipart(TITLE, PHOTO, part('name="more"; filename=""', '')), 200, isRight),
    row('a file name that is not UTF-8', '/form', latin1(MULTIPART, TITLE + OLD_PHOTO + END), 400, NOT_UTF8),
    row('compressed', '/form', withBody(MULTIPART, gzipSync(WHOLE), PACKED), 200, isRight),
    row(
      'a text with a transfer encoding',
      '/form',
      withBody(MULTIPART, TITLE.replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: base64\r\n\r\n') + PHOTO + END),
      400,
      'The field "title" has a Content-Transfer-Encoding; send it without one',
    ),
    row('a quoted boundary', '/form', withBody('multipart/form-data; boundary="XX"', WHOLE), 200, isRight),
    row('nothing in it', '/form', multipart(), 400, `title: ${REQUIRED}|photo: ${REQUIRED}`),
    row(
      'everything wrong',
      '/form',
      multipart(
        field('title', 'too long'),
        field('kind', 'c'),
        field('kind', 'a'),
        field('count', '7.5'),
        field('on', 'yes'),
        field('tags', 'x'.repeat(6)),
        field('ids', '1|x'),
        part('name="photo"; filename="a.pdf"', '12345678901', 'application/pdf'),
        field('more', 'text'),
      ),
      400,
      [
        'kind: Expected one value, not 2',
        'count: Expected an integer, not "7.5"',
        'on: Expected a boolean, not "yes"',
        'ids: Value 2: Expected an integer, not "x"',
        'title: Expected 5 or fewer characters, not 8',
        'tags: Value 1: Expected 5 or fewer characters, not 6',
        'photo: Expected a file of at most 10 bytes, not 11',
        'more: Expected a file, not a text',
      ].join('|'),
    ),
    row(
      'a file of another type, a file for a text',
      '/form',
      multipart(part('name="title"; filename="a"', 'T'), part('name="photo"; filename="a"', 'x', 'video/mp4')),
      400,
      'title: Expected a text, not a file|photo: Expected a file of image/* or text/plain, not "video/mp4"',
    ),
    row('two files', '/form', multipart(TITLE, PHOTO, PHOTO), 400, 'photo: Expected one file, not 2'),
    row('a list of files', '/album', multipart(picture('a', 'x'), picture('b', '12345'), picture('a', '')), 200, {
      photos: [
        ['a', 1],
        ['b', 5],
        ['a', 0],
      ],
      others: undefined,
      cover: undefined,
    }),
    row('a list of one file, another list', '/album', multipart(picture('a', 'x'), others('b'), others('c')), 200, {
      photos: [['a', 1]],
      others: ['b', 'c'],
    }),
    row('unused inputs of files', '/album', multipart(picture('a', 'x'), unused('others'), unused('cover')), 200, {
      photos: [['a', 1]],
      others: undefined,
      cover: undefined,
    }),
    row('blank texts for files', '/album', multipart(picture('a', 'x'), field('others', ''), field('cover', '')), 200, {
      others: undefined,
      cover: undefined,
    }),
    row('an unused input of a required list', '/album', multipart(unused('photos')), 400, `photos: ${REQUIRED}`),
    row('a blank text for a required list', '/album', multipart(field('photos', '')), 400, `photos: ${REQUIRED}`),
    row(
      'more files',
      '/album',
      multipart(...Array<string>(4).fill(PICTURE)),
      400,
      'photos: Expected 3 or fewer files, not 4',
    ),
    row(
      'every wrong file of a list',
      '/album',
      multipart(field('photos', 'a'), PICTURE, picture('b', '123456'), field('others', 'b')),
      400,
      [
        'photos: Value 1: Expected a file, not a text',
        'photos: Value 3: Expected a file of at most 5 bytes, not 6',
        'others: Value 1: Expected a file, not a text',
      ].join('|'),
    ),
    row(
      'a file of another type in a list',
      '/album',
      multipart(PICTURE, part('name="photos"; filename="a"', 'x', 'text/css')),
      400,
      'photos: Value 2: Expected a file of image/*, not "text/css"',
    ),
    row('another type', '/form', withBody(FORM, 'title=T'), 415, { accept: 'multipart/form-data' }),
    row('JSON', '/form', withBody('application/json', '{}'), 415, { accept: 'multipart/form-data' }),
    row('no boundary', '/form', withBody('multipart/form-data', WHOLE), 400, 'has no boundary; send'),
    row('two boundaries', '/form', withBody(`${MULTIPART}; boundary=YY`, WHOLE), 400, 'more than one boundary'),
    row('a boundary of 71', '/form', withBody(`${MULTIPART}${'x'.repeat(69)}`, 'x'), 400, 'an invalid boundary'),
    row('no body', '/form', withBody(MULTIPART, ''), 400, 'The request has no body; send one'),
    row('no end', '/form', withBody(MULTIPART, TITLE + PHOTO), 400, NOT_MULTIPART),
    row('1,001 parts', '/form', multipart(field('tags', '').repeat(1001)), 413, 'more than 1000 parts'),
    row('a head of 300 KB', '/form', multipart(part('name="title"', '', 'a'.repeat(300_000))), 413, 'than 16384 bytes'),
    row('a query', '/plain', withBody(FORM, 'n=5&name=a+%C3%BC&tags=1&tags=2'), 200, {
      name: 'a ü',
      n: 5,
      tags: ['1', '2'],
    }),
    row('multipart', '/plain', multipart(field('n', '5')), 200, { n: 5 }),
    row('malformed escapes', '/plain', withBody(FORM, 'name=%zz%&&=&=&x=3'), 200, { name: '%zz%' }),
    row('escapes that are not UTF-8', '/plain', withBody(FORM, 'name=Jos%E9'), 400, NOT_UTF8),
    row('bytes that are not UTF-8', '/plain', latin1(FORM, 'name=Jos\xe9'), 400, NOT_UTF8),
    row('a name that is not UTF-8', '/plain', withBody(FORM, 'n%E9=1'), 400, NOT_UTF8),
    row('another field that is not UTF-8', '/plain', withBody(FORM, 'name=a&other=%E9'), 400, NOT_UTF8),
    row('a part that is not UTF-8', '/plain', latin1(MULTIPART, field('name', '\xe9') + END), 400, NOT_UTF8),
    row('UTF-8 by name', '/plain', withBody(`${FORM}; charset=UTF-8`, '_charset_=utf8&name=%C3%A9'), 200, {
      name: 'é',
    }),
    row('UTF-8 by name of a part', '/plain', multipart(inCharset('"UTF-8"', 'é')), 200, { name: 'é' }),
    row('an empty _charset_', '/plain', withBody(FORM, '_charset_=&name=a'), 200, { name: 'a' }),
    row('another charset', '/plain', withBody(`${FORM}; charset="latin1"`, 'name=a'), 415, refusedCharset()),
    row('another charset: the accepted types', '/plain', withBody(`${FORM}; charset=latin1`, 'name=a'), 415, {
      accept: `${FORM}, multipart/form-data`,
    }),
    row('two charsets', '/plain', withBody(`${FORM}; charset=utf-8; charset=latin1`, 'name=a'), 415, refusedCharset()),
    row('another _charset_', '/plain', withBody(FORM, 'name=a&_charset_=koi8-r'), 415, refusedCharset('koi8-r')),
    row('a part with another charset', '/plain', multipart(inCharset('latin1', 'a')), 415, refusedCharset()),
    row('a part with an invalid media type', '/plain', multipart(inCharset('utf-16 le', 'a')), 400, NOT_MULTIPART),
    row('wrong', '/plain', withBody(FORM, 'n=x'), 400, 'n: Expected an integer, not "x"'),
    row('1,001 pairs', '/plain', withBody(FORM, 'a&'.repeat(1000)), 413, 'more than 1000 parts'),
    row('JSON', '/plain', withBody('application/json', '{}'), 415, {
      accept: 'application/x-www-form-urlencoded, multipart/form-data',
    }),
  ],
  async ({ request, status, expected }, t) => {
    const answer = await ask(await serveUploads(t), request);
    if (status === 200) return assertMembers(answer, expected as object);
    const { detail, errors = [] } = assertProblem(answer, status);
    const texts = errors.map(({ parameter, in: place, detail: fault }) => {
      assert.ok(place === 'formData' || place === 'query', place);
      return `${parameter}: ${fault}`;
    });
    if (typeof expected === 'string')
      return assert.ok(
        [detail, texts.join('|')].some((text) => text.includes(expected)),
        answer.text,
      );
    for (const [name, value] of Object.entries(expected)) assert.equal(answer.headers[name], value);
  },
);

for (const [target, type, status, accept] of [
  ['/bytes', 'image/jpeg', 415, 'image/png, text/*'],
  ['/form', 'multipart/form-data', 400, undefined],
  ['/form', 'multipart/form-data; boundary=XX; charset=latin1', 415, 'multipart/form-data'],
  ['/stream/a', undefined, 415, OCTETS],
] as const) {
  test(`D74 – ${target}: a client waits for 100 Continue with ${type ?? 'no type'} → ${status} before it sends the body`, async (t) => {
    const client = new Client(await serveUploads(t));
    const method = target === '/stream/a' ? 'PUT' : 'POST';
    const headers = { 'Content-Type': type ?? [], Expect: '100-continue', 'Content-Length': '9' };
    await client.send({ method, target, headers });
    const answer = await client.answer();
    assertProblem(answer, status);
    assert.equal(answer.headers['accept'], accept);
    await client.over();
  });
}

test('D74 – a form that is larger than the whole memory for bodies → 413, without "send it again"', async (t) => {
  const port = await serveUploads(t, { maxBody: 1000, maxBodyMemory: 64 * 1024 + 4 * 10_000 });
  const formOfLength = (length: number): Question => ({
    method: 'POST',
    target: '/plain',
    ...withBody(FORM, `name=${'x'.repeat(length - 5)}`),
  });
  assert.equal((await ask(port, formOfLength(10_000))).status, 200);
  assert.match(assertProblem(await ask(port, formOfLength(10_001)), 413).detail, /larger than 10000 bytes/);
});

const formOf = (maxBytes?: number) => form({ a: { type: 'string' } }, maxBytes === undefined ? {} : { maxBytes });
const bytesOf = (maxBytes: number) => bytes({ mediaTypes: [FORM], maxBytes });
const streamOf = (maxBytes: number) => byteStream({ mediaTypes: [FORM], maxBytes });
/** Accepts a form of 10,000 bytes and a body of 20,000 bytes. */
const SMALL = { maxBody: 1000, maxBodyMemory: 64 * 1024 + 40_000 };

for (const [subject, body, limits, sent, message] of [
  ['a form of a quarter of the memory', formOf(10_000), SMALL, 10_000],
  [
    'a form above a quarter of the memory',
    formOf(10_001),
    SMALL,
    10_001,
    'Cannot serve the operation "Post" within maxBodyMemory "105536": a body of 10001 bytes takes four times that, ' +
      'and 64 KiB; raise limits.maxBodyMemory to at least 105540, or give the body a maxBytes of at most 10000',
  ],
  ['a form above it, with more memory', formOf(10_001), { ...SMALL, maxBodyMemory: 105_540 }, 10_001],
  ['bytes of half of the memory', bytesOf(20_000), SMALL, 20_000],
  [
    'bytes above half of the memory',
    bytesOf(20_001),
    SMALL,
    20_001,
    'Cannot serve the operation "Post" within maxBodyMemory "105536": a body of 20001 bytes takes twice that, ' +
      'and 64 KiB; raise limits.maxBodyMemory to at least 105538, or give the body a maxBytes of at most 20000',
  ],
  ['bytes above it, with more memory', bytesOf(20_001), { ...SMALL, maxBodyMemory: 105_538 }, 20_001],
  ['a stream above all memory', streamOf(2 ** 40), { maxBodyMemory: 3_000_000 }, 4_000_000],
  ['a form without a limit, maxBody above the quarter', formOf(), { ...SMALL, maxBody: 10_001 }, 10_001, '10001 bytes'],
  ['a form without a limit, maxBody raised alone', formOf(), { maxBody: 17_000_000 }, 17_000_000],
  ['a form above the quarter of the default', formOf(16_760_833), {}, 1000, 'to at least 67108868, or'],
] as const) {
  test(`D74 – ${subject} → ${message === undefined ? 'served, up to its limit' : 'the start fails'}`, async (t) => {
    let started = 0;
    const handle = async ({ body: received }: { readonly body: unknown }) => {
      for await (const _ of received instanceof Readable ? received : []);
      return answerOf({});
    };
    const upload = operation({ method: 'POST', path: '', body: body as FormBody, responses, handle });
    const composed = application([{ name: 'uploads', routes: [upload], start: () => void started++ }]);
    const question = { method: 'POST', headers: { 'Content-Type': FORM }, body: `a=${'x'.repeat(sent - 2)}` };
    if (message !== undefined) {
      const refused = (error: Error) => error instanceof RangeError && error.message.includes(message);
      assert.throws(() => new HttpService(composed, { limits }), refused);
      assert.throws(() => listener(composed, { limits }), refused);
      await assert.rejects(serve(composed, { port: 0, limits }), refused);
      assert.equal(started, 0);
    } else {
      listener(composed, { limits });
      const { url, close } = await serve(composed, { port: 0, limits });
      t.after(close);
      assert.equal((await fetch(url, question)).status, 200);
      assert.equal(
        (await fetch(url, { ...question, body: `${question.body}x` })).status,
        (body as { maxBytes?: number }).maxBytes === 2 ** 40 ? 200 : 413,
      );
    }
    if (sent < 2 ** 20) assert.equal((await composed.request('/', question)).status, 200);
  });
}

test('D74 – uploads of every kind in one packet → answered in order on one connection', async (t) => {
  const client = new Client(await serveUploads(t));
  const questions: Question[] = [
    { method: 'POST', target: '/form', ...multipart(TITLE, PHOTO) },
    { method: 'PUT', target: '/stream/a', ...withBody(OCTETS, 'abc') },
    { method: 'POST', target: '/bytes', ...withBody('text/plain', 'abc') },
    { method: 'POST', target: '/form', ...multipart() },
  ];
  void client.send(questions);
  for (const status of [200, 200, 200, 400]) assert.equal((await client.answer()).status, status);
});

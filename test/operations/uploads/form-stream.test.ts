/** Forms with files that the handler reads while they arrive (D74), over HTTP. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { application } from '../../../src/core/application/application.ts';
import { ClientGone } from '../../../src/core/message/problem.ts';
import { ok } from '../../../src/operations/operation/answers.ts';
import { operation } from '../../../src/operations/routes/operation-routes.ts';
import { type FormStream, formStream } from '../../../src/operations/uploads/upload.ts';
import { verification } from '../../../src/testing.ts';
import { ask, Client, type Question } from '../../support/ask.ts';
import { gate } from '../../support/gate.ts';
import { assertProblem } from '../../support/problem.ts';
import { serveHandler } from '../../support/serve.ts';
import { until } from '../../support/until.ts';

const FIELDS = {
  title: { type: 'string', maxLength: 5, required: true },
  count: { type: 'integer', default: 1 },
  tags: { type: 'array', items: { type: 'string' } },
  photo: { type: 'file', required: true, mediaTypes: ['image/*'], maxBytes: 100_000 },
  film: { type: 'file' },
} as const;
type Body = FormStream<typeof FIELDS>;
type Answered = Readonly<Record<string, unknown>>;

const serveForm = async (t: TestContext, answer: (body: Body) => Promise<object>) => {
  const post = operation({
    method: 'POST',
    path: 'form',
    body: formStream(FIELDS, { maxBytes: 2 ** 27 }),
    responses: { 200: { schema: { type: 'object' } } },
    handle: async ({ body }) => ok((await answer(body)) as Answered),
  });
  const composed = application([verification(), { name: 'uploads', routes: [post] }]);
  return { ...(await serveHandler(t, composed.handler, { refuse: composed.refuse })), composed };
};

/** Reads the whole form: the texts, and the name, the type and the length of each file. */
const readAll = async ({ fields, files }: Body): Promise<object> => {
  const read: unknown[] = [];
  for await (const { field, name, type, stream } of files) {
    let length = 0;
    for await (const chunk of stream) length += (chunk as Buffer).length;
    read.push([field, name, type, length]);
  }
  return { ...fields, read };
};

const part = (disposition: string, content: string, type?: string): string =>
  `--XX\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${content}\r\n`;
const text = (name: string, value: string): string => part(`name="${name}"`, value);
const photo = (content: string, type = 'image/png'): string => part('name="photo"; filename="a.png"', content, type);
const film = (content: string): string => part('name="film"; filename="ü.mp4"', content);
const END = '--XX--\r\n';
const TITLE = text('title', 'T');
const PHOTO = photo('pixels');

const HEADERS = { 'Content-Type': 'multipart/form-data; boundary=XX' };
const question = (body: Question['body'], more: Question['headers'] = {}): Question => ({
  method: 'POST',
  target: '/form',
  headers: { ...HEADERS, ...more },
  body: body!,
});

const NAMELESS = part('name=film; filename=""', 'abc');
const READ = ['photo', 'a.png', 'image/png', 6];
for (const [what, sent, expected] of [
  ['a text and a file', [TITLE, PHOTO], { title: 'T', count: 1, read: [READ] }],
  [
    'two files, names in another case',
    [text('TITLE', 'T'), text('Count', '2'), part('name=PHOTO; filename=a.png', 'pixels', 'image/png'), film('abc')],
    { title: 'T', count: 2, read: [READ, ['film', 'ü.mp4', 'text/plain', 3]] },
  ],
  ['a list', [text('tags', 'a'), TITLE, text('tags', 'b'), PHOTO], { tags: ['a', 'b'], read: [READ] }],
  ['an empty file', [TITLE, photo('')], { read: [['photo', 'a.png', 'image/png', 0]] }],
  [
    'empty file inputs, with texts after one of them',
    [part('name=film; filename=""', ''), TITLE, PHOTO, part('name=film; filename=""', '')],
    { read: [READ] },
  ],
  ['no file name', [TITLE, PHOTO, NAMELESS], { read: [READ, ['film', '', 'text/plain', 3]] }],
] as const)
  for (const [how, body] of [
    ['', [...sent, END].join('')],
    [', in chunks', [...sent, END].join('').match(/[^]{1,30}/g)!],
  ] as const)
    test(`D74 – ${what}${how} → read`, async (t) => {
      const { port } = await serveForm(t, readAll);
      const answer = await ask(port, question(body));
      assert.equal(answer.status, 200, answer.text);
      for (const [name, value] of Object.entries(expected)) assert.deepEqual(answer.json()[name], value, name);
    });

for (const [what, type, sent, expected] of [
  ['a part with a charset', '', part('name="title"', '\xe9', 'text/plain; charset=ISO-8859-1') + PHOTO, { title: 'é' }],
  ['a form with a charset', '; charset=koi8-r', text('title', '\xc1') + PHOTO, { title: 'а' }],
  [
    '_charset_ after a text, before a file',
    '',
    text('title', '\xe9') +
      text('_charset_', 'latin1') +
      part('name=photo; filename="\xfc.png"', 'pixels', 'image/png'),
    { title: 'é', read: [['photo', 'ü.png', 'image/png', 6]] },
  ],
  ['a text that is not UTF-8', '', text('title', '\xe9') + PHOTO, 400],
  ['a file name that is not UTF-8', '', TITLE + part('name=photo; filename="\xfc.png"', 'x', 'image/png'), 400],
  ['a part with an unknown charset', '', part('name="title"', 'T', 'text/plain; charset=utf-7') + PHOTO, 415],
  ['an unknown charset', '; charset=utf-7', TITLE + PHOTO, 415],
  ['an unknown _charset_', '', text('_charset_', 'utf-7') + TITLE + PHOTO, 415],
] as const)
  test(`D74 – ${what} → ${typeof expected === 'number' ? expected : 'decoded'}`, async (t) => {
    const { port } = await serveForm(t, readAll);
    const request = question(Buffer.from(sent + END, 'latin1'), { 'Content-Type': HEADERS['Content-Type'] + type });
    const answer = await ask(port, request);
    if (typeof expected === 'number')
      return assert.match(assertProblem(answer, expected).detail, /decoded as utf-8|"utf-7"/);
    assert.equal(answer.status, 200, answer.text);
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(answer.json()[name], value, name);
  });

test('D74 – a form through `request` of the application → read', async (t) => {
  const { composed } = await serveForm(t, readAll);
  const body = new FormData();
  body.set('title', 'T');
  body.set('photo', new File(['pixels'], 'a"\r\n.png', { type: 'image/png' }));
  const reply = await composed.request('/form', { method: 'POST', body });
  assert.deepEqual(await reply.json(), { title: 'T', count: 1, read: [['photo', 'a"\r\n.png', 'image/png', 6]] });
});

for (const [what, body, status, message] of [
  [
    'wrong texts',
    [text('title', 'too long'), text('count', 'x'), text('count', '1'), PHOTO],
    400,
    ['count: Expected one value, not 2', 'title: Expected 5 or fewer characters, not 8'],
  ],
  ['nothing', [], 400, ['title: This parameter is required', 'photo: This parameter is required']],
  ['no text before the file', [PHOTO], 400, ['title: This parameter is required']],
  ['a required file that is missing', [TITLE, film('abc')], 400, ['photo: This parameter is required']],
  ['a text after a file', [TITLE, PHOTO, text('count', '2')], 400, ['count: Expected before the files']],
  ['an undeclared field', [text('other', '1')], 400, ['other: This form has no field of this name']],
  [
    'an undeclared file',
    [TITLE, part('name=other; filename=a', '1')],
    400,
    ['other: This form has no field of this name'],
  ],
  ['a text for a file', [TITLE, text('photo', '1')], 400, ['photo: Expected a file, not a text']],
  ['a file for a text', [part('name=title; filename=a', '1')], 400, ['title: Expected a text, not a file']],
  ['a file twice', [TITLE, PHOTO, PHOTO], 400, ['photo: Expected one file, not several']],
  ['a file of another type', [TITLE, photo('x', 'a/b')], 400, ['photo: Expected a file of image/*, not "a/b"']],
  ['a file too long', [TITLE, photo('x'.repeat(100_001))], 413, ['photo: Expected a file of at most 100000 bytes']],
  ['texts that are too long', Array(9).fill(text('tags', 'x'.repeat(8000))), 413, 'The texts of the form are longer'],
  ['1,001 parts', Array(1001).fill(text('tags', '')), 413, 'more than 1000 parts'],
  ['a long head', [part(`name="${'x'.repeat(17_000)}"`, '')], 413, 'The head of a part'],
] as const)
  test(`D74 – ${what} → ${status}; the errors name the fields`, async (t) => {
    const { port } = await serveForm(t, readAll);
    const { detail, errors = [] } = assertProblem(await ask(port, question([...body, END].join(''))), status);
    if (typeof message === 'string') return assert.ok(detail.includes(message), detail);
    assert.match(detail, /send the texts before the files/);
    assert.deepEqual(
      errors.map((one) => `${one.parameter}: ${one.detail}`),
      message,
    );
  });

for (const [what, request, status, message] of [
  ['another boundary', question(TITLE.replaceAll('XX', 'YY')), 400, 'with the boundary that its Content-Type names'],
  ['a body that ends in a text', question(TITLE.slice(0, -4)), 400, 'with the boundary'],
  ['a body that ends in a file', question(TITLE + PHOTO), 400, 'with the boundary'],
  ['no boundary', question('x', { 'Content-Type': 'multipart/form-data' }), 400, 'has no boundary'],
  ['another media type', question('x', { 'Content-Type': 'text/plain' }), 415, 'send the body as multipart/form-data'],
  ['a coding', question(gzipSync(TITLE), { 'Content-Encoding': 'gzip' }), 415, 'send it without one'],
  ['no body', question(''), 400, 'The request has no body'],
  ['no chunk', question([]), 400, 'The request has no body'],
  [
    'a Content-Length above the limit',
    `POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: ${HEADERS['Content-Type']}\r\nContent-Length: ${2 ** 27 + 1}\r\n\r\n`,
    413,
    'larger than 134217728 bytes',
  ],
] as const)
  test(`D74 – ${what} → ${status}`, async (t) => {
    const { port } = await serveForm(t, readAll);
    const client = new Client(port);
    void client.send(request);
    assert.ok(assertProblem(await client.answer(), status).detail.includes(message));
    client.destroy();
  });

test('D74 – a file of 64 MiB → its handler has the texts and its first bytes before the rest is sent, then all of it', async (t) => {
  const begun = gate();
  const length = 2 ** 26;
  const { port, service } = await serveForm(t, async (body) => {
    begun.open();
    return readAll(body);
  });
  const client = new Client(port);
  const start = TITLE + film('').slice(0, -2);
  const end = `\r\n${PHOTO}${END}`;
  const head = `Host: a\r\nContent-Type: ${HEADERS['Content-Type']}\r\nContent-Length: ${Buffer.byteLength(start + end) + length}`;
  await client.send(Buffer.from(`POST /form HTTP/1.1\r\n${head}\r\n\r\n${start}`));
  await begun.passed;
  const block = Buffer.alloc(2 ** 20, '\r\n--X');
  for (let sent = 0; sent < length; sent += block.length) await client.send(block);
  await client.send(end);
  assert.deepEqual((await client.answer()).json().read, [['film', 'ü.mp4', 'text/plain', length], READ]);
  assert.equal(service.bodyMemory, 0);
  client.destroy();
});

test('D74 – a handler that does not read → the service reads less than 512 KiB of the file', async (t) => {
  const { passed, open } = gate();
  const { port, service } = await serveForm(t, async ({ files }) => {
    const { value: file } = await files.next();
    await passed;
    return { name: file!.name };
  });
  const client = new Client(port);
  void client.send(
    Buffer.from(
      `POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: ${HEADERS['Content-Type']}\r\nContent-Length: ${2 ** 26}\r\n\r\n${TITLE}${film('').slice(0, -2)}`,
    ),
  );
  for (let at = 0; at < 32; at++) void client.send(Buffer.alloc(2 ** 20));
  await until(() => [...service.connections].some(({ socket }) => socket.isPaused()), 'the socket paused');
  const [connection] = service.connections;
  assert.ok(connection!.socket.bytesRead < 512 * 1024, `${connection!.socket.bytesRead} bytes were read`);
  open();
  assert.equal((await client.answer()).json().name, 'ü.mp4');
  client.destroy();
});

for (const [what, answer] of [
  ['reads nothing', async ({ fields }: Body) => fields],
  [
    'stops at the first file',
    async ({ fields, files }: Body) => {
      for await (const _ of files) break;
      return fields;
    },
  ],
  [
    'skips every file',
    async ({ fields, files }: Body) => {
      for await (const _ of files);
      return fields;
    },
  ],
  [
    'stops in the middle of a file',
    async ({ fields, files }: Body) => {
      for await (const { stream } of files) for await (const _ of stream) break;
      return fields;
    },
  ],
] as const)
  test(`D74 – a handler ${what} → its reply is sent, and the next request is answered too`, async (t) => {
    const { port, service } = await serveForm(t, answer);
    const client = new Client(port);
    const request = question(TITLE + photo('x'.repeat(3000)) + film('x'.repeat(3000)) + END);
    for (let round = 0; round < 2; round++) {
      void client.send(request);
      const { status, json } = await client.answer();
      assert.deepEqual([status, json().title], [200, 'T']);
    }
    assert.equal(service.bodyMemory, 0);
    client.destroy();
  });

test('D74 – the handler goes to the next file while it reads a file → the stream of the first file fails, and does not end', async (t) => {
  const { port } = await serveForm(t, async ({ files }) => {
    const { value: first } = await files.next();
    const reading = first!.stream.toArray().then(
      () => 'ended',
      (error: Error) => error.message,
    );
    const { value: second } = await files.next();
    return { first: await reading, second: Buffer.concat(await second!.stream.toArray()).toString() };
  });
  const answer = await ask(port, question(TITLE + photo('x'.repeat(90_000)) + film('abc') + END));
  assert.match(answer.json().first, /^Cannot read the rest of the file: its loop has moved on/);
  assert.equal(answer.json().second, 'abc');
});

test('D74 – a client leaves in the middle of a file → ClientGone from the stream and from the iteration', async (t) => {
  const [begun, failed] = [gate(), gate()];
  const errors: unknown[] = [];
  const { port, service } = await serveForm(t, async ({ files }) => {
    const { value: file } = await files.next();
    begun.open();
    await file!.stream.toArray().catch((error: unknown) => errors.push(error));
    await files.next().catch((error: unknown) => errors.push(error));
    failed.open();
    throw errors[1];
  });
  const client = new Client(port);
  await client.send(
    `POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: ${HEADERS['Content-Type']}\r\nContent-Length: 9999\r\n\r\n${TITLE}${PHOTO.slice(0, -3)}`,
  );
  await begun.passed;
  client.reset();
  await failed.passed;
  assert.equal(errors.length, 2);
  for (const error of errors) assert.ok(error instanceof ClientGone, String(error));
  await until(() => service.bodyMemory === 0, 'the memory is released');
});

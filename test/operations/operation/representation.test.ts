/** Lists that are streamed, with and without a length and a version (D82). */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { bytesOfText } from '../../../src/core/http/representation.ts';
import { representation, streamedRepresentation } from '../../../src/extending.ts';
import { answer, ok, operation, type Stage } from '../../../src/index.ts';
import { csv } from '../../../src/shelf/rows/rows.ts';
import { verification } from '../../../src/testing.ts';
import { serving } from '../../support/serving.ts';
import { failing } from '../../support/streams.ts';

type Known = Parameters<typeof streamedRepresentation>[1];

/** An application that streams two numbers. */
function numbers(known?: Known, open = () => Readable.from(['[1', ',2]'], { objectMode: false })) {
  const schema = { type: 'array', items: { type: 'integer' } } as const;
  const list = operation({
    method: 'GET',
    path: 'n',
    responses: { 200: { schema, headers: { ETag: { type: 'string', description: 'Its state' } } }, 304: {}, 412: {} },
    handle: () => ok(streamedRepresentation<readonly number[]>(open, known)),
  });
  return serving([list]);
}

for (const [what, known, condition, status, headers] of [
  ['nothing is known', {}, {}, 200, { ETag: null, 'Content-Length': null, 'Content-Type': 'application/json' }],
  ['its length is known', { length: 5 }, {}, 200, { ETag: null, 'Content-Length': '5' }],
  ['its version is known', { version: 'a' }, {}, 200, { ETag: '"a"', 'Content-Length': null }],
  ['its version is known', { version: 'a' }, { 'If-None-Match': '"a"' }, 304, { ETag: '"a"' }],
  ['its version is known', { version: 'a' }, { 'If-Match': '"b"' }, 412, {}],
  ['nothing is known', {}, { 'If-Match': '*' }, 200, { ETag: null }],
  ['nothing is known', {}, { 'If-Match': '"a"' }, 412, {}],
  ['nothing is known', {}, { 'If-None-Match': '*' }, 304, { ETag: null }],
  ['nothing is known', {}, { 'If-None-Match': '"a", W/"b"' }, 200, { ETag: null }],
] as const)
  test(`D82 – a streamed list, ${what}, ${JSON.stringify(condition)} → ${status}`, async () => {
    const reply = await numbers(known).request('/n', { headers: condition });
    assert.equal(reply.status, status);
    for (const [name, value] of Object.entries(headers))
      assert.equal(reply.headers.get(name)?.split(';')[0] ?? null, value);
    assert.equal(await reply.text().then((text) => (status === 200 ? text : '')), status === 200 ? '[1,2]' : '');
  });

const untagged = {
  'streamed value': () => ok(streamedRepresentation<string>(() => Readable.from(['"x"'], { objectMode: false }))),
  'written value': () => ok('x'),
  'text as given': () => ok('"x"'),
  'status alone': () => answer(200),
};
for (const [what, handle] of Object.entries(untagged))
  for (const [condition, status] of [
    [{}, 200],
    [{ 'If-Match': '*' }, 200],
    [{ 'If-Match': '"a"' }, 412],
    [{ 'If-None-Match': '*' }, 304],
    [{ 'If-None-Match': '"a"' }, 200],
  ] as const)
    test(`RFC 9110 §13.1.1 – a ${what} without an ETag, ${JSON.stringify(condition)} → ${status}`, async () => {
      const body = { 'text as given': { mediaType: 'text/plain' }, 'status alone': {} }[what];
      const responses = { 200: body ?? { schema: { type: 'string' } } };
      const get = operation({ method: 'GET', path: 'n', responses, handle } as never);
      for (const checks of [[], [verification()]])
        assert.equal((await serving([get], ...checks).request('/n', { headers: condition })).status, status);
    });

test('D66 – a cached representation with a Location → each reply has the header', async () => {
  const kept = representation<string>('"x"', '1');
  const schema = { type: 'string' } as const;
  const read = operation({ method: 'GET', path: 'n/{id}', responses: { 200: { schema } }, handle: () => ok(kept) });
  const located = operation({
    method: 'GET',
    path: 'n/located/{id}',
    responses: { 200: { schema, location: read } },
    handle: ({ values }) => answer(200, kept, { location: { to: read, values } }),
  });
  const app = serving([read, located]);
  for (const [path, location] of [
    ['/n/a', null],
    ['/n/located/a', '/n/a'],
    ['/n/located/b', '/n/b'],
  ] as const)
    for (let times = 0; times < 2; times++) assert.equal((await app.request(path)).headers.get('Location'), location);
});

test('D82 – a streamed list for a client that asks for CSV → 500, the log names the operation and the remedy', async () => {
  const items = { type: 'object', properties: { n: { type: 'integer' } } } as const;
  const list = operation({
    method: 'GET',
    path: 'n',
    responses: { 200: { schema: { type: 'array', items } } },
    writers: { 'text/csv': csv(['n']) },
    handle: () => ok(streamedRepresentation<readonly { n: number }[]>(() => Readable.from(['[{"n":1}]']))),
  });
  const app = serving([list]);
  assert.equal(await (await app.request('/n')).text(), '[{"n":1}]');
  assert.equal((await app.request('/n', { headers: { Accept: 'text/csv' } })).status, 500);
  assert.match(String(app.errors[0]), /The operation "NGet" streams JSON, .*"text\/csv"; leave out the writer/);
});

test('D82 – a streamed list that fails midway → the reply is aborted, the log has the cause', async () => {
  const app = numbers({}, () => Readable.from(failing('[1', 'lost')));
  const reply = await app.request('/n');
  await assert.rejects(reply.text());
  assert.equal(((app.errors[0] as Error).cause as Error).message, 'lost');
});

const textOf = (size: number) => representation<string>(JSON.stringify('x'.repeat(size)), '1');
const long = textOf(20_000);
const short = textOf(100);
for (const [what, kept, isShared, handle] of [
  ['one long representation', long, true, () => ok(long)],
  ['one short representation', short, false, () => ok(short)],
  ['two long representations of the same text', long, true, () => ok(textOf(20_000))],
] as const)
  test(`D50 – two replies with ${what} → ${isShared ? 'share its bytes' : 'have its text'}`, async () => {
    const bodies: unknown[] = [];
    const looking: Stage = async (context, next) => {
      const reply = await next(context);
      bodies.push(reply.body);
      return reply;
    };
    const responses = { 200: { schema: { type: 'string' } } } as const;
    const { request } = serving([operation({ method: 'GET', path: 'n', responses, stages: [looking], handle })]);
    for (let times = 0; times < 2; times++) assert.equal(await (await request('/n')).text(), kept.body);
    assert.equal(bodies[0], bodies[1]);
    assert.equal(bodies[0] instanceof Uint8Array, isShared);
  });

test('D50 – the bytes of a long text of json() or text() → shared with an equal text, not with another text', () => {
  const [one, other] = ['é', 'è'].map((letter) => () => letter.repeat(20_000));
  const bytes = bytesOfText(one!());
  assert.equal(bytesOfText(one!()), bytes);
  assert.equal(bytes.toString(), one!());
  assert.notEqual(bytesOfText(other!()), bytes);
  assert.equal(bytesOfText(other!()).toString(), other!());
  assert.equal(bytesOfText(one!()).toString(), one!());
});

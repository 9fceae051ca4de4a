/** Lists that are streamed, with and without a length and a version (D82). */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { representation, streamedRepresentation } from '../../../src/extending.ts';
import { answer, application, ok, operation, routesOf } from '../../../src/index.ts';
import { csv } from '../../../src/operations/media-types/list-formats.ts';
import { verification } from '../../../src/testing.ts';

type Known = Parameters<typeof streamedRepresentation>[1];

/** An application that streams two numbers. */
function numbers(known?: Known, open = () => Readable.from(['[1', ',2]'], { objectMode: false })) {
  const schema = { type: 'array', items: { type: 'integer' } } as const;
  const list = operation({
    method: 'GET',
    path: '',
    responses: { 200: { schema, headers: { ETag: { type: 'string', description: 'Its state' } } }, 304: {}, 412: {} },
    handle: () => ok(streamedRepresentation<readonly number[]>(open, known)),
  });
  const log: unknown[] = [];
  const controllers = [{ name: 'N', path: 'n', operations: [list] }];
  return {
    app: application([{ name: 'n', routes: routesOf(...controllers) }], { log: (error) => log.push(error) }),
    log,
  };
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
    const reply = await numbers(known).app.request('/n', { headers: condition });
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
      const get = operation({ method: 'GET', path: '', responses, handle } as never);
      for (const checks of [[], [verification()]]) {
        const controllers = [{ name: 'N', path: 'n', operations: [get] }];
        const app = application([...checks, { name: 'n', routes: routesOf(...controllers) }]);
        assert.equal((await app.request('/n', { headers: condition })).status, status);
      }
    });

test('D66 – a kept representation with a Location → each reply has it', async () => {
  const kept = representation<string>('"x"', '1');
  const schema = { type: 'string' } as const;
  const read = operation({ method: 'GET', path: '{id}', responses: { 200: { schema } }, handle: () => ok(kept) });
  const located = operation({
    method: 'GET',
    path: 'located/{id}',
    responses: { 200: { schema, location: read } },
    handle: ({ values }) => answer(200, kept, { location: { to: read, values } }),
  });
  const app = application([{ name: 'n', routes: routesOf({ name: 'N', path: 'n', operations: [read, located] }) }]);
  for (const [path, location] of [
    ['/n/a', null],
    ['/n/located/a', '/n/a'],
    ['/n/located/b', '/n/b'],
  ] as const)
    for (let times = 0; times < 2; times++) assert.equal((await app.request(path)).headers.get('Location'), location);
});

test('D82 – a streamed list, and the client wants CSV → 500, the log names the operation and the remedy', async () => {
  const list = operation({
    method: 'GET',
    path: '',
    responses: {
      200: { schema: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } } },
    },
    writers: { 'text/csv': csv(['n']) },
    handle: () => ok(streamedRepresentation<readonly { n: number }[]>(() => Readable.from(['[{"n":1}]']))),
  });
  const log: unknown[] = [];
  const controllers = [{ name: 'N', path: 'n', operations: [list] }];
  const app = application([{ name: 'n', routes: routesOf(...controllers) }], { log: (error) => log.push(error) });
  assert.equal(await (await app.request('/n')).text(), '[{"n":1}]');
  assert.equal((await app.request('/n', { headers: { Accept: 'text/csv' } })).status, 500);
  assert.match(String(log[0]), /The operation "NGet" streams JSON, .*"text\/csv"; leave out its writer/);
});

test('D82 – a streamed list that fails on the way → the reply is cut, the log has the cause', async () => {
  const { app, log } = numbers({}, () =>
    Readable.from(
      (async function* () {
        yield '[1';
        throw new Error('lost');
      })(),
    ),
  );
  const reply = await app.request('/n');
  await assert.rejects(reply.text());
  assert.equal(((log[0] as Error).cause as Error).message, 'lost');
});

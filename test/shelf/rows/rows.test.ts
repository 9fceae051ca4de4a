/** Lists whose rows come one by one: the reply as JSON, CSV and NDJSON, and the release of the source (D100). */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { operations, type Reply, text } from '../../../src/index.ts';
import { type Rows, rowsWriter, writtenRows } from '../../../src/operations/media-types/row-writers.ts';
import type { Writer } from '../../../src/operations/operation/operation.ts';
import { answer } from '../../../src/operations/operation/results.ts';
import { operation } from '../../../src/operations/routes/operation-routes.ts';
import { schema } from '../../../src/operations/schema/schema.ts';
import { allowedMethods } from '../../../src/shelf/methods/methods.ts';
import { csv, ndjson } from '../../../src/shelf/rows/rows.ts';
import { verification } from '../../../src/testing.ts';
import { ask, type Question } from '../../support/ask.ts';
import { gate } from '../../support/gate.ts';
import { serveHandler } from '../../support/serve.ts';
import { until } from '../../support/until.ts';

const Row = schema('Row', {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string', 'x-nullable': true },
    secret: { type: 'string', writeOnly: true },
  },
});
interface Given {
  readonly id: number;
  readonly name: string | null;
}
const rows: readonly Given[] = [
  { id: 1, name: 'a, "b"' },
  { id: 2, name: null, ...{ secret: 'never sent' } },
];
const LIST = '[{"Id":1,"Name":"a, \\"b\\""},{"Id":2,"Name":null}]';
const TEXTS = {
  'application/json': LIST,
  'text/csv': 'id,name\r\n1,"a, ""b"""\r\n2,\r\n',
  'application/x-ndjson': '{"Id":1,"Name":"a, \\"b\\""}\n{"Id":2,"Name":null}\n',
};
const EMPTY = { 'application/json': '[]', 'text/csv': 'id,name\r\n', 'application/x-ndjson': '' };
const TYPES = Object.keys(TEXTS) as readonly (keyof typeof TEXTS)[];
type Writers = Readonly<Record<string, Writer<any>>>;
const WRITERS: Writers = { 'text/csv': csv(['id', 'name']), 'application/x-ndjson': ndjson() };
const tag = { ETag: { type: 'string', description: 'The state' } } as const;

const replacedIf = (isReplaced: boolean, reply: Reply): Reply => (isReplaced ? text('something else') : reply);

/** Serves one operation at `/rows`, with verified replies, and collects its log lines. */
async function serveRows(t: TestContext, make: () => Rows<Given>, writers: Writers = WRITERS) {
  const list = operation({
    method: 'GET',
    path: 'rows',
    responses: { 200: { schema: { type: 'array', items: Row }, headers: tag }, 304: { headers: tag }, 412: {} },
    stages: [async (context, next) => replacedIf(context.query.has('replaced'), await next(context))],
    writers,
    handle: () => answer(200, make(), { headers: { ETag: '"1"' } }),
  });
  const errors: string[] = [];
  const log = (error: unknown) => void errors.push(said(error));
  const plugins = [operations({ naming: 'PascalCase' }), verification(), allowedMethods()];
  const { handler, start } = application([...plugins, { name: 'rows', routes: [list] }], { log });
  await start();
  const { port, client } = await serveHandler(t, handler, { log });
  const get = (type: string, more: Question = {}) =>
    ask(port, { target: '/rows', ...more, headers: { Accept: type, ...more.headers } });
  return { client, get, errors };
}
const said = (error: unknown): string =>
  error instanceof Error ? `${error.message} < ${said(error.cause)}` : String(error);

async function* later(given: readonly Given[]) {
  for (const row of given) {
    await new Promise(setImmediate);
    yield row;
  }
}
const SOURCES: readonly (readonly [what: string, make: (given: readonly Given[]) => Rows<Given>, isWhole?: true])[] = [
  ['an array', (given) => given, true],
  ['a generator', (given) => given.values()],
  ['an async iterable', (given) => ({ [Symbol.asyncIterator]: () => later(given) })],
  ['a Node stream', (given) => Readable.from(given)],
  ['a web stream', (given) => new ReadableStream({ start: (c) => (given.map((one) => c.enqueue(one)), c.close()) })],
];
for (const [what, make, isWhole] of SOURCES)
  for (const [which, given, texts] of [
    ['rows', rows, TEXTS],
    ['no rows', [], EMPTY],
  ] as const)
    test(`D100 – ${which} of ${what} → each media type, with a length for an array`, async (t) => {
      const { get } = await serveRows(t, () => make(given));
      for (const type of TYPES) {
        const { status, headers, text } = await get(type);
        assert.deepEqual([status, text, headers['vary']], [200, texts[type], 'Accept'], type);
        assert.equal(headers['content-type']!.split(';')[0], type);
        const length = isWhole ? String(Buffer.byteLength(texts[type])) : undefined;
        assert.equal(headers['content-length'], length, type);
      }
    });

/** This number of rows fills more than one chunk of a stream. */
const MANY = 2000;
function* failing(after: number, last: () => Given) {
  for (let id = 0; id < after; id++) yield { id, name: 'x'.repeat(20) };
  yield last();
}
const LOST = (): never => {
  throw new Error('The cursor is lost');
};
const WRONG = () => ({ id: 'seven' }) as unknown as Given;
for (const [what, last, type, cause] of [
  [
    'a row that does not match the schema',
    WRONG,
    'application/json',
    (at: number) => `"/${at}/id": Expected an integer`,
  ],
  [
    'a row that does not match the schema',
    WRONG,
    'application/x-ndjson',
    (at: number) => `"/${at}/id": Expected an integer`,
  ],
  ['a source that fails', LOST, 'application/json', () => 'The cursor is lost'],
] as const)
  for (const [when, after, starts] of [
    ['at the first row', 0, /^HTTP\/1\.1 500 /],
    ['after many rows', MANY, /^HTTP\/1\.1 200 /],
  ] as const)
    test(`D100 – ${what} ${when} of ${type} → 500, or a cut connection, and the log names the route and the cause`, async (t) => {
      const { client, errors } = await serveRows(t, () => failing(after, last));
      await client.send({ target: '/rows', headers: { Accept: type, Connection: 'close' } });
      await client.over();
      const sent = client.rest.toString();
      assert.match(sent, starts);
      assert.doesNotMatch(sent, /\r\n0\r\n\r\n$/);
      const said = errors.join();
      assert.ok(said.includes('The route "GET rows" streamed a body that failed') && said.includes(cause(after)), said);
    });

/** Endless rows, and the state of their source. */
function endless(isLater: boolean) {
  const state = { closed: false, given: 0 };
  function* plain(): Generator<Given> {
    try {
      for (;;) yield { id: ++state.given, name: 'x'.repeat(1000) };
    } finally {
      state.closed = true;
    }
  }
  async function* waiting(): AsyncGenerator<Given> {
    yield* plain();
  }
  return { state, make: isLater ? waiting : plain };
}
for (const [which, isLater, type] of [
  ['rows', false, 'application/json'],
  ['rows that wait', true, 'application/json'],
  ['rows that wait as CSV', true, 'text/csv'],
] as const) {
  for (const [what, question] of [
    ['HEAD', { method: 'HEAD' }],
    ['304', { headers: { 'If-None-Match': '*' } }],
    ['412', { headers: { 'If-Match': '"other"' } }],
    ['another reply of a stage', { target: '/rows?replaced' }],
  ] as const)
    test(`D100 – ${what} for ${which} → the source is released`, async (t) => {
      const { state, make } = endless(isLater);
      const { get } = await serveRows(t, make);
      await get(type, question);
      await until(() => state.closed, 'the end of the source');
      assert.ok(state.given <= 1, JSON.stringify(state));
    });

  test(`D100 – a client of ${which} that leaves → the source is released`, async (t) => {
    const { state, make } = endless(isLater);
    const { client } = await serveRows(t, make);
    await client.send({ target: '/rows', headers: { Accept: type } });
    await until(() => client.received > 100_000, 'some of it');
    client.destroy();
    await until(() => state.closed, 'the end of the source');
  });
}

test('D100 – rows for a writer that takes arrays → 500, the source is released, the log has the remedy', async (t) => {
  const source = later(rows);
  const { get, errors } = await serveRows(t, () => source, { 'text/csv': String });
  assert.equal((await get('text/csv')).status, 500);
  const remedy = /writer of "text\/csv" does not support; create the writer with rowsWriter\(…\), or return an array/;
  assert.match(errors.join(), remedy);
  assert.equal((await source.next()).done, true);
});

test('D100 – a row, and then the source waits → the row is sent immediately', async (t) => {
  const waits = gate();
  async function* slow() {
    yield rows[0]!;
    await waits.passed;
    yield rows[1]!;
  }
  const { client } = await serveRows(t, slow);
  await client.send({ target: '/rows' });
  await until(() => client.rest.includes('"Id":1'), 'the first row');
  waits.open();
  assert.equal((await client.answer()).text, LIST);
});

for (const [what, write, sent] of [
  ['a Node stream', () => Readable.from(['a', 'b']), 'ab'],
  ['a list of bytes', () => [Buffer.from('a'), Buffer.from('b')], 'ab'],
  ['a custom text of rows', rowsWriter<Given>((given) => writtenRows(given, ({ id }) => `${id};`)), '1;2;'],
] as const)
  test(`D100 – a writer that returns ${what} → rows and arrays are streamed`, async (t) => {
    const { get } = await serveRows(t, () => rows, { 'text/plain': write });
    assert.equal((await get('text/plain')).text, sent);
  });

test('RFC 4180 – values in CSV → quoted if needed; a formula gets an apostrophe', () => {
  const fields = [
    ['plain', 'plain'],
    [null, ''],
    [undefined, ''],
    [-1.5, '-1.5'],
    [Number.NaN, 'NaN'],
    [2n ** 64n, '18446744073709551616'],
    [false, 'false'],
    ['a,b', '"a,b"'],
    ['say "a"', '"say ""a"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' kept ', ' kept '],
    ['=SUM(A1)', "'=SUM(A1)"],
    ['\t=1', "'\t=1"],
  ] as const;
  const lines = fields.map(([, field]) => `${field},end\r\n`).join('');
  assert.equal(
    csv(['a', 'b'])(
      fields.map(([a]) => ({ a, b: 'end' })),
      String,
    ),
    `a,b\r\n${lines}`,
  );
});

test('RFC 4180 – a row with one empty or blank field → in quotes, because readers skip blank lines', () => {
  const rows = [{ a: '' }, { a: null }, {}, { a: ' ' }, { a: 'x' }];
  assert.equal(csv(['a'])(rows, String), 'a\r\n""\r\n""\r\n""\r\n" "\r\nx\r\n');
  assert.equal(csv([''])([{ '': 1 }], String), '""\r\n1\r\n');
  assert.equal(csv(['a', 'b'])([{}], String), 'a,b\r\n,\r\n');
  assert.equal(csv(['constructor', 'toString'])([{}], String), 'constructor,toString\r\n,\r\n');
  assert.equal(csv(['a'])([Object.create({ a: 1 })], String), 'a\r\n1\r\n');
});

test('D100 – CSV without columns → throws', () =>
  assert.throws(
    () => csv([]),
    /^TypeError: Cannot write CSV without columns: name them, as in csv\(\['key', 'name'\]\)$/,
  ));

for (const [what, row, pointer] of [
  ['a row that is null', null, '/1'],
  ['a member that is an object', { a: { b: 1 } }, '/1/a'],
] as const)
  test(`D100 – ${what} in CSV → an error with its pointer`, () => {
    const message = new RegExp(`^Cannot write "${pointer}" as CSV: it is .*; use rows that are objects of strings`);
    assert.throws(() => csv(['a'])([{ a: 1 }, row as never], String), { name: 'TypeError', message });
  });

/** Lists whose rows come one by one: the reply as JSON, CSV and NDJSON, and the release of the source (D100). */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { application } from '../../../src/core/application/application.ts';
import type { HeaderLines } from '../../../src/core/message/headers/header-lines.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { operations, text } from '../../../src/index.ts';
import { type Rows, rowsWriter, writtenRows } from '../../../src/operations/media-types/row-writers.ts';
import { answer } from '../../../src/operations/operation/answers.ts';
import type { Writer } from '../../../src/operations/operation/operation.ts';
import { operation } from '../../../src/operations/routes/operation-routes.ts';
import { schema } from '../../../src/operations/schema/schema.ts';
import { allowedMethods } from '../../../src/shelf/methods/methods.ts';
import { csv, ndjson } from '../../../src/shelf/rows/rows.ts';
import { verification } from '../../../src/testing.ts';
import { ask } from '../../support/ask.ts';
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
const writers = { 'text/csv': csv(['id', 'name']), 'application/x-ndjson': ndjson() };
const tag = { ETag: { type: 'string', description: 'The state' } } as const;

interface Declared {
  readonly headers?: HeaderLines;
  readonly writers?: Readonly<Record<string, Writer<any>>>;
  readonly stages?: readonly Stage[];
}

/** An application with one operation at `/rows` and verified replies, and its log lines. */
async function listing(make: () => Rows<Given>, { headers, ...own }: Declared = {}) {
  const list = operation({
    method: 'GET',
    path: 'rows',
    responses: { 200: { schema: { type: 'array', items: Row }, headers: tag }, 304: { headers: tag } },
    writers,
    ...own,
    handle: () => answer(200, make(), headers && { headers }),
  });
  const errors: string[] = [];
  const log = (error: unknown) => void errors.push(said(error));
  const plugins = [operations({ naming: 'PascalCase' }), verification(), allowedMethods()];
  const { handler, start } = application([...plugins, { name: 'rows', routes: [list] }], { log });
  await start();
  return { handler, errors, log };
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
  ['a set', (given) => new Set(given)],
  ['a generator', (given) => given.values()],
  ['an async generator', later],
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
      const { port } = await serveHandler(t, (await listing(() => make(given))).handler);
      for (const type of TYPES) {
        const { status, headers, text: body } = await ask(port, { target: '/rows', headers: { Accept: type } });
        assert.deepEqual([status, body, headers['vary']], [200, texts[type], 'Accept'], type);
        assert.equal(headers['content-type']!.split(';')[0], type);
        const length = isWhole ? String(Buffer.byteLength(texts[type])) : undefined;
        assert.equal(headers['content-length'], length, type);
      }
    });

test('D100 – a tag of a handler for rows → a different tag for each media type', async (t) => {
  const { port } = await serveHandler(t, (await listing(() => later(rows), { headers: { ETag: '"1"' } })).handler);
  const tags = [];
  for (const type of TYPES) {
    const { headers } = await ask(port, { target: '/rows', headers: { Accept: type } });
    tags.push(headers['etag']);
    const again = { Accept: type, 'If-None-Match': headers['etag']! };
    assert.equal((await ask(port, { target: '/rows', headers: again })).status, 304, type);
  }
  assert.deepEqual(tags, ['"1"', '"1-1"', '"1-2"']);
});

/** This number of rows fills more than one chunk of a stream. */
const MANY = 2000;
const wrong = { id: 'seven' } as unknown as Given;
function* broken(at: number) {
  for (let id = 0; id < at; id++) yield { id, name: 'x'.repeat(20) };
  throw new Error('The cursor is lost');
}
function* mismatched(at: number) {
  for (let id = 0; id < at; id++) yield { id, name: 'x'.repeat(20) };
  yield wrong;
}
for (const [what, make, cause] of [
  ['a row that does not match the schema', mismatched, /"\/AT\/id" is a string, not an integer/],
  ['a source that fails', broken, /The cursor is lost/],
] as const)
  for (const isLater of [false, true])
    for (const type of ['application/json', 'application/x-ndjson'] as const) {
      const waiting = isLater ? ', async' : '';
      const from = (at: number) => (isLater ? Readable.from(make(at)) : make(at));
      const pattern = (at: number) => new RegExp(cause.source.replace('AT', String(at)));
      test(`D100 – ${what}${waiting}at the first row, as ${type} → 500, and the log names route and row`, async (t) => {
        const { handler, errors, log } = await listing(() => from(0));
        const { port } = await serveHandler(t, handler, { log });
        assert.equal((await ask(port, { target: '/rows', headers: { Accept: type } })).status, 500);
        assert.match(errors.join(), /The route "GET rows" streamed a body that failed < The rows failed at "\/0" </);
        assert.match(errors.join(), pattern(0));
      });
      test(`D100 – ${what}${waiting}after many rows, as ${type} → the connection is closed, and the log names route and row`, async (t) => {
        const { handler, errors, log } = await listing(() => from(MANY));
        const { client } = await serveHandler(t, handler, { log });
        await client.send({ target: '/rows', headers: { Accept: type } });
        await client.over();
        const sent = client.rest.toString();
        assert.match(sent, /^HTTP\/1\.1 200 /);
        assert.doesNotMatch(sent, /\r\n0\r\n\r\n$/);
        const at = `The route "GET rows" streamed a body that failed; .* < The rows failed at "/${MANY}" <`;
        assert.match(errors.join(), new RegExp(at));
        assert.match(errors.join(), pattern(MANY));
      });
    }

/** Endless rows, and the state of their sources. */
function endless() {
  const state = { opened: 0, closed: 0, given: 0 };
  const make = (isLater: boolean) => {
    state.opened += 1;
    return isLater ? waiting() : plain();
  };
  function* plain(): Generator<Given> {
    try {
      for (;;) yield { id: ++state.given, name: 'x'.repeat(1000) };
    } finally {
      state.closed += 1;
    }
  }
  async function* waiting(): AsyncGenerator<Given> {
    for await (const row of plain()) yield row;
  }
  return { state, make };
}

const replaced: Stage = async (context, next) => {
  const reply = await next(context);
  return context.query.has('replaced') ? text('something else') : reply;
};
for (const isLater of [false, true])
  for (const type of TYPES) {
    const which = `rows${isLater ? ' that wait' : ''} as ${type}`;
    for (const [what, question] of [
      ['HEAD', { method: 'HEAD' }],
      ['304', { headers: { 'If-None-Match': '*' } }],
      ['412', { headers: { 'If-Match': '"other"' } }],
      ['another reply of a stage', { target: '/rows?replaced' }],
    ] as const)
      test(`D100 – ${what} for ${which} → the source is released`, async (t) => {
        const { state, make } = endless();
        const { handler } = await listing(() => make(isLater), { headers: { ETag: '"1"' }, stages: [replaced] });
        const { port } = await serveHandler(t, handler);
        const headers = { Accept: type, ...('headers' in question && question.headers) };
        await ask(port, { target: '/rows', ...question, headers });
        await until(() => state.closed === state.opened, 'the end of the source');
        assert.ok(state.opened === 1 && state.given <= 1, JSON.stringify(state));
      });

    test(`D100 – a client of ${which} that leaves → the source is released`, async (t) => {
      const { state, make } = endless();
      const { client } = await serveHandler(t, (await listing(() => make(isLater))).handler);
      await client.send({ target: '/rows', headers: { Accept: type } });
      await until(() => client.received > 100_000, 'some of it');
      client.destroy();
      await until(() => state.closed === 1, 'the end of the source');
    });
  }

for (const [what, source] of [
  ['a Node stream', () => Readable.from(rows)],
  ['a generator', () => later(rows)],
] as const)
  test(`D100 – rows of ${what} for a writer that takes arrays → 500, the source is released, the log has the remedy`, async (t) => {
    const made: Rows<Given>[] = [];
    const { handler, errors } = await listing(() => made[made.push(source()) - 1]!, {
      writers: { 'text/csv': String },
    });
    const { port } = await serveHandler(t, handler);
    assert.equal((await ask(port, { target: '/rows', headers: { Accept: 'text/csv' } })).status, 500);
    assert.match(
      errors.join(),
      /the writer of "text\/csv" does not support; create the writer with rowsWriter\(…\), or return an array/,
    );
    const [first] = made as [AsyncGenerator<Given> | Readable];
    if (first instanceof Readable) assert.equal(first.destroyed, true);
    else assert.equal((await first.next()).done, true);
  });

test('D100 – a row, and then the source waits → the row is sent immediately', async (t) => {
  const waits = gate();
  async function* slow() {
    yield rows[0]!;
    await waits.passed;
    yield rows[1]!;
  }
  const { client } = await serveHandler(t, (await listing(slow)).handler);
  await client.send({ target: '/rows' });
  await until(() => client.rest.includes('"Id":1'), 'the first row');
  waits.open();
  assert.equal((await client.answer()).text, LIST);
});

for (const [what, write, sent] of [
  [
    'a generator of texts',
    function* () {
      yield 'a';
      yield 'b';
    },
    'ab',
  ],
  ['a list of bytes', () => [Buffer.from('a'), Buffer.from('b')], 'ab'],
  ['a Node stream', () => Readable.from(['a', 'b']), 'ab'],
  ['a custom text of rows', rowsWriter<Given>((given) => writtenRows(given, ({ id }) => `${id};`)), '1;2;'],
] as const)
  test(`D100 – a writer that returns ${what} → rows and arrays are streamed`, async (t) => {
    const { port } = await serveHandler(t, (await listing(() => rows, { writers: { 'text/plain': write } })).handler);
    assert.equal((await ask(port, { target: '/rows', headers: { Accept: 'text/plain' } })).text, sent);
  });

const FIELDS: readonly (readonly [value: string | number | bigint | boolean | null | undefined, field: string])[] = [
  ['plain', 'plain'],
  ['', ''],
  [null, ''],
  [undefined, ''],
  [0, '0'],
  [-1.5, '-1.5'],
  [Number.NaN, 'NaN'],
  [2n ** 64n, '18446744073709551616'],
  [false, 'false'],
  ['a,b', '"a,b"'],
  ['say "a"', '"say ""a"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\r\nlines', '"two\r\nlines"'],
  [' kept ', ' kept '],
  ['=SUM(A1)', "'=SUM(A1)"],
  ['@cmd', "'@cmd"],
  ['\t=1', "'\t=1"],
];
for (const [value, field] of FIELDS)
  test(`RFC 4180 ${inspect(value)} in CSV → ${JSON.stringify(field)}`, () =>
    assert.equal(csv(['a', 'b'])([{ a: value, b: 'end' }], String), `a,b\r\n${field},end\r\n`));

test('RFC 4180 – a row with one empty or blank field → in quotes, because readers skip blank lines', () => {
  const rows = [{ a: '' }, { a: null }, {}, { a: ' ' }, { a: 'x' }];
  assert.equal(csv(['a'])(rows, String), 'a\r\n""\r\n""\r\n""\r\n" "\r\nx\r\n');
  assert.equal(csv([''])([{ '': 1 }], String), '""\r\n1\r\n');
  assert.equal(csv(['a', 'b'])([{}], String), 'a,b\r\n,\r\n');
});

test('D100 – CSV without columns → throws', () =>
  assert.throws(
    () => csv([]),
    /^TypeError: Cannot write CSV without columns: name them, as in csv\(\['key', 'name'\]\)$/,
  ));

for (const [what, row, pointer] of [
  ['a row that is null', null, '/1'],
  ['a row that is a text', 'a', '/1'],
  ['a member that is an object', { a: { b: 1 } }, '/1/a'],
  ['a member that is a function', { a: () => 1 }, '/1/a'],
] as const)
  test(`D100 – ${what} in CSV → an error with its pointer`, () => {
    const message = new RegExp(`^Cannot write "${pointer}" as CSV: it is .*; use rows that are objects of strings`);
    assert.throws(() => csv(['a'])([{ a: 1 }, row as never], String), { name: 'TypeError', message });
  });

test('D100 – lines of JSON → each row as JSON by its schema, in order', () => {
  const writeRow = (row: unknown, position: number) => `${position}:${JSON.stringify(row)}`;
  assert.equal(ndjson()([{ a: 1 }, null], writeRow), '0:{"a":1}\n1:null\n');
  assert.equal(ndjson()([], writeRow), '');
});

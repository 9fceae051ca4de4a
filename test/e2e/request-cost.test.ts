/**
 * D37 – the cost of one request and the size of its answer: the number of steps grows linearly with the bytes. The
 * steps are counted at one size and at four times this size, so no clock is needed.
 */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { IncompleteRoute } from '../../src/core/routing/composition.ts';
import type { OwnBody } from '../../src/operations/operation/own-body.ts';
import { ok } from '../../src/operations/operation/results.ts';
import { operation } from '../../src/operations/routes/operation-routes.ts';
import { type Schema, schema } from '../../src/operations/schema/schema.ts';
import { serializer } from '../../src/operations/schema/serialize.ts';
import { form } from '../../src/operations/uploads/upload.ts';
import { ask } from '../support/ask.ts';
import { assertProblem } from '../support/problem.ts';
import { servePlugins } from '../support/serve.ts';
import { table } from '../support/table.ts';
import { textsOf } from '../support/texts-of.ts';

const SQUARE = { type: 'string', maxLength: 100, pattern: '[a-z]+1' } as const;
const TREE = schema('Tree', {
  type: 'object',
  properties: {
    name: { type: 'string' },
    next: { $ref: 'Tree' },
    counts: { type: 'array', items: { type: 'integer' } },
  },
});
/** Each level is a choice of two schemas. */
const CHAIN = schema('Chain', {
  oneOf: [
    { type: 'string' },
    { type: 'object', properties: { next: { $ref: 'Chain' }, texts: { type: 'array', items: { type: 'string' } } } },
  ],
});
const responses = { 200: { schema: { type: 'object' } }, 400: {}, 413: {} } as const;

const costly = (path: string, body: Schema | OwnBody, members: object = {}): IncompleteRoute =>
  operation({ method: 'POST', path, body, responses, handle: () => ok({}), ...members });
const list = { type: 'array', items: { type: 'integer' }, collectionFormat: 'csv' } as const;
const routes = [
  costly('x/square/{x:regex(a*a*)}', { type: 'array', items: SQUARE }, { query: { q: SQUARE } }),
  costly('x/fields', form({ ids: list, few: { ...list, maxItems: 3 } })),
  costly('x/lists', { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }),
  costly('x/tree', TREE),
  costly(
    'x/free',
    {
      type: 'object',
      properties: { list: { type: 'array' }, object: { type: 'object' } },
      additionalProperties: { type: 'object' },
    },
    { handle: ({ body }: { readonly body: object }) => ok(body) },
  ),
];

async function served(t: TestContext) {
  const { port } = await servePlugins(t, [{ name: 'costly', routes }]);
  const post = (target: string, body: string, type = 'application/json') =>
    ask(port, { method: 'POST', target: `/x/${target}`, headers: { 'Content-Type': type }, body });
  return { post };
}

/** Returns the sum of `weight` over the calls of a method while `work` runs. */
async function counted<Name extends string>(
  owner: { [name in Name]: unknown },
  name: Name,
  weight: (of: any, result: any, values: readonly unknown[]) => number,
  work: () => unknown,
): Promise<number> {
  const original = owner[name] as (...values: unknown[]) => unknown;
  let sum = 0;
  owner[name] = function (this: unknown, ...values: unknown[]) {
    const result = original.apply(this, values);
    sum += weight(this, result, values);
    return result;
  };
  try {
    await work();
  } finally {
    owner[name] = original;
  }
  return sum;
}

/** A way to make a request costly, and the count of its steps. */
interface Attack {
  readonly question: string;
  readonly target: string;
  /** About `size` bytes. */
  readonly body: (size: number) => string;
  readonly type?: string;
  readonly status: number;
  /** The maximum number of steps, whatever the size. Default: four per byte. */
  readonly maxSteps?: number;
  readonly steps: (work: () => Promise<unknown>) => Promise<number>;
}

const URL_ENCODED = 'application/x-www-form-urlencoded';
/** Returns the number of bytes that `indexOf` has searched. */
const searchedBytes = ({ length }: Buffer, at: number, [, from]: readonly unknown[]): number =>
  (at < 0 ? length : at) - Number(from ?? 0);
const none = async (work: () => Promise<unknown>): Promise<number> => (await work(), 0);

const attacks: readonly Attack[] = [
  {
    question: 'texts that a pattern rejects after a search from each character',
    target: 'square/a?q=a1',
    body: (size) => JSON.stringify(new Array(Math.floor(size / 103)).fill('a'.repeat(100))),
    status: 400,
    maxSteps: 110,
    steps: (work) => counted(RegExp.prototype, 'test', ({ source }) => Number(source === SQUARE.pattern), work),
  },
  {
    question: 'a list of commas',
    target: 'fields',
    type: URL_ENCODED,
    body: (size) => `ids=${','.repeat(size)}`,
    status: 400,
    maxSteps: 200,
    steps: (work) => counted(JSON, 'stringify', () => 1, work),
  },
  {
    question: 'a list that is too long',
    target: 'fields',
    type: URL_ENCODED,
    body: (size) => `few=${'x,'.repeat(size / 2)}`,
    status: 400,
    maxSteps: 200,
    steps: (work) => counted(JSON, 'stringify', () => 1, work),
  },
  {
    question: 'a hundred errors below a long name',
    target: 'lists',
    body: (size) => JSON.stringify({ ['k'.repeat(size)]: new Array(200).fill(0) }),
    status: 400,
    steps: none,
  },
  {
    question: 'a hundred errors below nested names',
    target: 'tree',
    body: (size) => `${'{"next":'.repeat(150)}{"counts":[${'"",'.repeat(size / 3)}0]}${'}'.repeat(150)}`,
    status: 400,
    steps: none,
  },
  {
    question: 'parts with heads that never end',
    target: 'fields',
    type: 'multipart/form-data; boundary=b',
    body: (size) => `--b\r\n${`\r\n--b\r\nX: ${'y'.repeat(size / 990)}`.repeat(990)}\r\n--b--\r\n`,
    status: 400,
    steps: (work) => counted(Buffer.prototype, 'indexOf', searchedBytes, work),
  },
];
table(
  attacks.map((row) => ({ clause: 'D37', answer: `${row.status}, its bytes limit the steps`, ...row })),
  async ({ target, body, type, status, maxSteps, steps }, t) => {
    const { post } = await served(t);
    for (const size of [40_000, 160_000]) {
      const sent = body(size);
      const count = await steps(async () => {
        const { length } = Buffer.from(sent);
        const answer = await post(target, sent, type);
        assert.equal(answer.status, status, answer.text.slice(0, 300));
        assert.ok(answer.body.length <= 50_000, `${answer.body.length} bytes for ${length}`);
      });
      assert.ok(count <= (maxSteps ?? 4 * sent.length), `${count} steps for ${sent.length} bytes`);
    }
  },
);

test('D37 – a choice on each level of a sent value → each level is checked once', () => {
  const write = serializer(CHAIN, 'camelCase');
  /** Returns the number of reads of a value with this number of levels. */
  const reads = (levels: number): number => {
    let count = 0;
    let value: object | string = 'end';
    for (let level = 0; level < levels; level += 1)
      value = new Proxy(
        { next: value, texts: ['a'] },
        {
          get: (target, name) => ((count += 1), Reflect.get(target, name)),
          ownKeys: (target) => ((count += 1), Reflect.ownKeys(target)),
        },
      );
    assert.equal(JSON.parse(write(value as never)).next.texts[0], 'a');
    return count;
  };
  assert.ok(reads(160) <= 5 * reads(40), `${reads(160)} reads for 160 levels, ${reads(40)} for 40`);
});

const INFINITE = 'numbers in the range of a double';
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
table(
  [
    { question: 'a list', body: `{"list":${nested(1000)}}` },
    { question: 'a list', body: `{"list":${nested(1001)}}`, pointer: '/list' },
    { question: 'a list, 16 kB of brackets', body: `{"list":${nested(8000)}}`, pointer: '/list' },
    { question: 'an object', body: `{"object":{"a":${nested(999)}}}` },
    { question: 'an object', body: `{"object":{"a":${nested(1000)}}}`, pointer: '/object' },
    { question: 'a number outside the range of doubles', body: '{"list":[[1e999]]}', pointer: '/list', has: INFINITE },
    {
      question: 'a number outside the range of doubles',
      body: '{"object":{"a":-1e999}}',
      pointer: '/object',
      has: INFINITE,
    },
    { question: 'a further member', body: `{"x/y":{"a":${nested(1000)}}}`, pointer: '/x~1y' },
  ].map((row) => ({
    clause: 'D37',
    answer: row.pointer === undefined ? 'sent back' : `400 at ${row.pointer}`,
    ...row,
  })),
  async ({ body, pointer, has = 'at most 1000 objects and arrays inside one another' }, t) => {
    const { post } = await served(t);
    const answer = await post('free', body);
    if (pointer === undefined) return assert.equal(answer.text, body);
    const detail = `Expected a value with ${has}`;
    assert.deepEqual(textsOf(assertProblem(answer, 400).errors), [{ pointer, detail }]);
  },
);

test('D37 – the pointer of an error below long names → shortened to its beginning and its end', async (t) => {
  const { post } = await served(t);
  const { errors } = assertProblem(await post('lists', JSON.stringify({ ['k/'.repeat(500)]: ['', 5] })), 400);
  const [{ pointer = '' } = {}] = errors!;
  assert.match(pointer, /^\/(?:k~1){20,}k?~?…[k~1]{100,}\/1$/);
  assert.equal(pointer.length, 300);
});

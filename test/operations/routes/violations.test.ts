/** The keyword and the limit of each violation, with which a program writes texts of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, noContent, operation, type Schema } from '../../../src/index.ts';
import { checked, ownFormat } from '../../../src/operations/schema/schemas.ts';
import { form } from '../../../src/operations/uploads/upload.ts';

const text = { type: 'string' } as const;
const even = ownFormat('even', (value: string) => Number(value) % 2 === 0 || 'Expected an even number');
const iban = ownFormat('iban', (value: string) => value.startsWith('DE'));
const stay = checked(
  { type: 'object', required: ['from', 'to'], properties: { from: { type: 'integer' }, to: { type: 'integer' } } },
  ({ from, to }) => (from < to ? undefined : { pointer: '/to', detail: 'Too early', keyword: 'order', limit: from }),
);
const unnamed = checked(text, () => ({ detail: 'Never right' }));
const choice = { oneOf: [{ type: 'integer' }, { type: 'boolean' }] } as const;

async function violationsOf(schema: Schema, value: unknown) {
  const body = { type: 'object', required: ['it'], properties: { it: schema } } as const;
  const put = operation({ method: 'PUT', path: '', body, responses: { 204: {} }, handle: () => noContent() });
  const reply = await application([{ name: 'a', routes: [put] }]).request('/', { method: 'PUT', json: { it: value } });
  assert.equal(reply.status, 400);
  const { errors } = (await reply.json()) as { errors: Record<string, unknown>[] };
  return errors.map(({ keyword, limit, detail }) => [keyword, limit, typeof detail]);
}

for (const [schema, value, keyword, limit] of [
  [text, 7, 'type', 'string'],
  [text, undefined, 'required', undefined],
  [{ ...text, minLength: 3 }, 'ab', 'minLength', 3],
  [{ ...text, maxLength: 3 }, 'abcd', 'maxLength', 3],
  [{ ...text, pattern: '^a$' }, 'b', 'pattern', '^a$'],
  [{ ...text, enum: ['a', 'b'] }, 'c', 'enum', ['a', 'b']],
  [{ ...text, const: 'a' }, 'c', 'const', 'a'],
  [{ ...text, enum: ['a'] }, 'c', 'enum', ['a']],
  [{ ...text, format: 'date' }, 'c', 'format', 'date'],
  [iban, 'FR', 'format', 'iban'],
  [even, '3', 'format', 'even'],
  [{ type: 'integer', format: 'int32' }, 2 ** 31, 'format', 'int32'],
  [{ type: 'integer', format: 'int32' }, 'a', 'type', 'integer'],
  [{ type: 'integer' }, 1.5, 'type', 'integer'],
  [{ type: 'number', minimum: 1 }, 0, 'minimum', 1],
  [{ type: 'number', maximum: 1 }, 2, 'maximum', 1],
  [{ type: 'number', exclusiveMinimum: 1 }, 1, 'exclusiveMinimum', 1],
  [{ type: 'number', exclusiveMaximum: 1 }, 1, 'exclusiveMaximum', 1],
  [{ type: 'number', multipleOf: 0.5 }, 0.7, 'multipleOf', 0.5],
  [{ type: 'array', items: text, minItems: 1 }, [], 'minItems', 1],
  [{ type: 'array', items: text, maxItems: 1 }, ['a', 'b'], 'maxItems', 1],
  [{ type: 'array', items: text, uniqueItems: true }, ['a', 'a'], 'uniqueItems', true],
  [{ type: 'array', items: text }, ['a', 1], 'type', 'string'],
  [{ type: 'object', properties: {}, additionalProperties: false }, { a: 1 }, 'additionalProperties', undefined],
  [choice, 'a', 'oneOf', ['an integer', 'a boolean']],
  [stay, { from: 2, to: 1 }, 'order', 2],
  [unnamed, 'a', 'check', undefined],
] as const satisfies readonly (readonly [Schema, unknown, string, unknown])[])
  test(`a violation of ${JSON.stringify(schema)} by ${JSON.stringify(value)} → ${keyword} ${JSON.stringify(limit)}`, async () =>
    assert.deepEqual(await violationsOf(schema, value), [[keyword, limit, 'string']]));

test('a violation of a custom format with a text → its text', async () => {
  const body = { type: 'object', properties: { it: even } } as const;
  const put = operation({ method: 'PUT', path: '', body, responses: { 204: {} }, handle: () => noContent() });
  const reply = await application([{ name: 'a', routes: [put] }]).request('/', { method: 'PUT', json: { it: '3' } });
  const { errors } = (await reply.json()) as { errors: { detail: string }[] };
  assert.equal(errors[0]!.detail, 'Expected an even number');
});

const search = operation({
  method: 'GET',
  path: 'search',
  strictQuery: true,
  query: {
    size: { type: 'integer', maximum: 10 },
    ids: { type: 'array', items: { type: 'integer' } },
    q: { type: 'string', required: true },
  },
  responses: { 204: {} },
  handle: () => noContent(),
});
for (const [query, keyword, limit] of [
  ['q=a&size=11', 'maximum', 10],
  ['q=a&size=x', 'type', 'integer'],
  ['q=a&size=1&size=2', 'maxItems', 1],
  ['q=a&ids=1,x', 'type', 'integer'],
  ['', 'required', undefined],
  ['q=a&colour=red', 'additionalProperties', undefined],
] as const)
  test(`a violation in the query ${query} → ${keyword}`, async () => {
    const reply = await application([{ name: 'a', routes: [search] }]).request(`/search?${query}`);
    const { errors } = (await reply.json()) as { errors: Record<string, unknown>[] };
    assert.deepEqual(
      errors.map((error) => [error['keyword'], error['limit']]),
      [[keyword, limit]],
    );
  });

const upload = operation({
  method: 'POST',
  path: 'upload',
  body: form({
    photo: { type: 'file', mediaTypes: ['image/png'], maxBytes: 2, required: true },
    more: { type: 'array', items: { type: 'file' }, maxItems: 1 },
  }),
  responses: { 204: {} },
  handle: () => noContent(),
});
const png = (bytes: string): File => new File([bytes], 'a.png', { type: 'image/png' });
for (const [what, fields, keyword, limit] of [
  ['no file', [['more', png('a')]], 'required', undefined],
  ['a text', [['photo', 'a']], 'type', 'file'],
  ['a long file', [['photo', png('abc')]], 'maxBytes', 2],
  ['another type', [['photo', new File(['a'], 'a.txt', { type: 'text/plain' })]], 'mediaTypes', ['image/png']],
  [
    'two files',
    [
      ['photo', png('a')],
      ['photo', png('b')],
    ],
    'maxItems',
    1,
  ],
  [
    'a long list',
    [
      ['photo', png('a')],
      ['more', png('b')],
      ['more', png('c')],
    ],
    'maxItems',
    1,
  ],
] as const)
  test(`a violation in a form with ${what} → ${keyword}`, async () => {
    const body = new FormData();
    for (const [name, value] of fields) body.append(name, value);
    const sent = new Request('http://localhost/upload', { method: 'POST', body });
    const { errors } = (await (await application([{ name: 'a', routes: [upload] }]).request(sent)).json()) as {
      errors: Record<string, unknown>[];
    };
    assert.deepEqual(
      errors.map((error) => [error['keyword'], error['limit']]),
      [[keyword, limit]],
    );
  });

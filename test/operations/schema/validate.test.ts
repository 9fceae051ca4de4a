import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PropertyNaming } from '../../../src/operations/schema/names.ts';
import { uncheckedValidator } from '../../../src/operations/schema/read-value.ts';
import { absentIfNull, type Schema } from '../../../src/operations/schema/schema.ts';
import { partial } from '../../../src/operations/schema/schemas.ts';
import { textsOf } from '../../support/texts-of.ts';

const BASE = {
  type: 'object',
  properties: {
    key: absentIfNull({ type: 'string' }),
    name: { type: 'string', 'x-nullable': true },
    isComplete: { type: 'boolean', default: false },
  },
} as const satisfies Schema;
const ANNOTATED = {
  ...BASE,
  required: ['name'],
  properties: { ...BASE.properties, name: { type: 'string' } },
} as const satisfies Schema;
/** Optional properties that may not be null. */
const OPTIONAL = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    due: { type: 'string', format: 'date' },
    count: { type: 'integer' },
    list: { type: 'array', items: { type: 'string' } },
    inner: { type: 'object', properties: { text: { type: 'string' } } },
    free: { type: 'object' },
    said: { type: 'string', default: 'a' },
    nullable: { type: 'string', 'x-nullable': true },
  },
} as const satisfies Schema;
const NOT_NULL: readonly (readonly [name: string, type: string])[] = [
  ['text', 'a string'],
  ['due', 'a string'],
  ['count', 'an integer'],
  ['list', 'an array'],
  ['inner', 'an object'],
  ['free', 'an object'],
  ['said', 'a string'],
];
const ORDER = {
  type: 'object',
  required: ['lines'],
  properties: {
    lines: {
      type: 'array',
      items: {
        type: 'object',
        required: ['count'],
        properties: { count: { type: 'integer', format: 'int32' }, price: { type: 'number' } },
      },
    },
    to: { type: 'object', properties: { street: { type: 'string' } } },
    'a/b~c': { type: 'boolean' },
    anything: { type: 'object' },
  },
} as const satisfies Schema;

/** Integers beyond 2^53. */
const UNSAFE = [
  ...['9007199254740992', '9007199254740993', '-9007199254740993', '18446744073709551616', '9007199254740993.0'],
  ...['90071992547409930e-1', '9.007199254740993e15', '9007199254740992.5', '90071992.54740993E+8'],
];
const NUMBERS = [
  ...UNSAFE,
  ...['9007199254740991', '-9007199254740991', '0.1', '0.30000000000000004', '-0', '1e-7', '6.02214076e23'],
  ...['1.7976931348623157e308', '4.9e-324', `1${'0'.repeat(300)}1`],
];
const HOLDER = { type: 'object', properties: { n: { type: 'number' }, id: { type: 'integer' } } } as const;

type Errors = readonly (readonly [pointer: string, detail: string])[];
type Case = readonly [
  clause: string,
  body: string,
  expected: Errors | Readonly<Record<string, unknown>>,
  declared?: Schema,
  naming?: PropertyNaming,
];

const ABSENT = { name: null, isComplete: false };
for (const [clause, body, expected, declared = BASE, naming = 'camelCase'] of [
  [
    'D3 the names of the code, in the order of the schema',
    '{"isComplete":true,"name":"a","key":"k"}',
    { key: 'k', name: 'a', isComplete: true },
  ],
  ['D5 absent: null where it is a value, else the default, else nothing', '{}', ABSENT],
  [
    'D1 names ignore case',
    '{"Key":"k","NAME":"a","iscomplete":true}',
    { key: 'k', name: 'a', isComplete: true },
    BASE,
    'PascalCase',
  ],
  ['D1 a Kelvin sign is not a k, a long s not an s', '{"\\u212aey":1,"i\\u017fComplete":1}', ABSENT],
  ['D3 unknown members are ignored', '{"x":1,"__proto__":{"name":"p"},"constructor":1,"toString":1}', ABSENT],
  ['D3 the last duplicate wins', '{"name":1,"name":"b"}', { name: 'b', isComplete: false }],
  ['D3 the last duplicate wins, case aside', '{"NAME":1,"name":"b"}', { name: 'b', isComplete: false }],
  [
    'D3 of several spellings, the last in the order of JSON.parse wins',
    '{"name":"a","NAME":"b","na\\u006de":"c"}',
    { name: 'b', isComplete: false },
  ],
  ['D3 the pointer of that spelling', '{"NAME":"a","name":3}', [['/name', 'Expected a string or null, not a number']]],
  ['D3 key: null is as good as absent', '{"key":null}', ABSENT],
  ...[OPTIONAL, partial(OPTIONAL)].flatMap((declared, at) =>
    NOT_NULL.map(
      ([name, type]): Case => [
        `D3 null for an optional member that may not be null${at === 1 ? ', of a partial schema' : ''}`,
        JSON.stringify({ [name]: null }),
        [[`/${name}`, `Expected ${type}, not null`]],
        declared,
      ],
    ),
  ),
  ['D3 null inside a member', '{"inner":{"text":null}}', [['/inner/text', 'Expected a string, not null']], OPTIONAL],
  ['D3 null for a nullable member of a partial schema', '{"nullable":null}', { nullable: null }, partial(OPTIONAL)],
  ['D3 name: null is a value', '{"name":null}', ABSENT],
  ['D3 isComplete: null is a wrong type', '{"isComplete":null}', [['/isComplete', 'Expected a boolean, not null']]],
  [
    'D3 every wrong member is told, as it was sent',
    '{"Key":5,"name":{},"isComplete":"true"}',
    [
      ['/Key', 'Expected a string, not a number'],
      ['/name', 'Expected a string or null, not an object'],
      ['/isComplete', 'Expected a boolean, not a string'],
    ],
  ],
  ...Object.entries({ '[]': 'an array', '"a"': 'a string', 5: 'a number', true: 'a boolean' }).map(
    ([body, found]): Case => ['D3 not an object', body, [['', `Expected an object, not ${found}`]]],
  ),
  ['D11 annotated: the name is required', '{}', [['/name', 'This member is required']], ANNOTATED],
  ['D11 spelled as on the wire', '{}', [['/Name', 'This member is required']], ANNOTATED, 'PascalCase'],
  ['D11 null is not a name', '{"name":null}', [['/name', 'Expected a string, not null']], ANNOTATED],
  [
    'nested values',
    '{"lines":[{"count":1,"price":1.5},{"COUNT":2}],"to":{"Street":"s"},"anything":{"x":[1]}}',
    { lines: [{ count: 1, price: 1.5 }, { count: 2 }], to: { street: 's' }, anything: { x: [1] } },
    ORDER,
  ],
  [
    'nested pointers',
    '{"Lines":[{"count":1},{"price":"x"},3,{"count":1.5,"price":1e999},{"count":2147483648}],"to":[],"A/b~C":1}',
    [
      ['/Lines/1/count', 'This member is required'],
      ['/Lines/1/price', 'Expected a number, not a string'],
      ['/Lines/2', 'Expected an object, not a number'],
      ['/Lines/3/count', 'Expected an integer of 32 bits, not 1.5'],
      ['/Lines/3/price', 'Expected a number, not one beyond the range of a double'],
      ['/Lines/4/count', 'Expected an integer of 32 bits, not 2147483648'],
      ['/to', 'Expected an object, not an array'],
      ['/A~1b~0C', 'Expected a boolean, not a number'],
    ],
    ORDER,
  ],
  [
    'D3 the pointer of what was sent last, nested and in arrays',
    '{"LINES":5,"lines":[{"count":1}],"Lines":[{"COUNT":1,"count":2,"Count":"x"}],"TO":{"street":"s","STREET":1}}',
    [
      ['/Lines/0/Count', 'Expected an integer of 32 bits, not a string'],
      ['/TO/STREET', 'Expected a string, not a number'],
    ],
    ORDER,
  ],
  ...UNSAFE.map(
    (sent): Case => [
      'D3 an integer beyond 2^53',
      `{"id":${sent}}`,
      [['/id', 'Expected an integer, not one beyond 2^53']],
      HOLDER,
    ],
  ),
  ...['9007199254740991', '-9007199254740991', '9007199254740991.0', '1e3'].map(
    (sent): Case => ['D3 an integer', `{"id":${sent}}`, { id: Number(sent) }, HOLDER],
  ),
  ...NUMBERS.map((sent): Case => ['D3 the nearest double', `{"n":${sent}}`, { n: Number(sent) }, HOLDER]),
] as const)
  test(`${clause} – ${body}`, () => {
    const { value, errors } = uncheckedValidator(declared, naming)(JSON.parse(body));
    if (Array.isArray(expected))
      assert.deepEqual(
        textsOf(errors),
        expected.map(([pointer, detail]) => ({ pointer, detail })),
      );
    else assert.equal(JSON.stringify(value), JSON.stringify(expected));
  });

test('a thousand invalid elements give a hundred violations', () => {
  const body = JSON.stringify({ lines: new Array(1000).fill(0) });
  assert.equal(uncheckedValidator(ORDER, 'camelCase')(JSON.parse(body)).errors?.length, 100);
});

test('D5 all bodies share a default that is a list or an object, and cannot change it', () => {
  const list = { type: 'array', items: { type: 'string' }, default: ['a'] } as const;
  const inner = { type: 'object', properties: { a: { type: 'integer', default: 1 } }, default: {} } as const;
  const read = uncheckedValidator({ type: 'object', properties: { list, inner } }, 'PascalCase');
  const change = (): number => (read({}).value as unknown as { list: string[] }).list.push('b');
  assert.throws(change, TypeError);
  assert.deepEqual(read({}).value, { list: ['a'], inner: { a: 1 } });
  assert.equal(read({}).value!.list, read({}).value!.list);
});

test('a schema with two properties that differ only in case does not compile', () =>
  assert.throws(
    () =>
      uncheckedValidator(
        { type: 'object', properties: { id: { type: 'string' }, ID: { type: 'string' } } },
        'camelCase',
      ),
    /"id" and "ID" apart/,
  ));

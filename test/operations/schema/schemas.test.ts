import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valueChecks } from '../../../src/extending.ts';
import type { PropertyNaming } from '../../../src/index.ts';
import { application, ok, operation, type Schema, schema } from '../../../src/index.ts';
import { bodyValidator } from '../../../src/operations/schema/assert-schema.ts';
import { uncheckedValidator } from '../../../src/operations/schema/read-value.ts';
import { definitionName } from '../../../src/operations/schema/schema.ts';
import { checked, ownFormat, partial, pick } from '../../../src/operations/schema/schemas.ts';
import { describeOpenApi } from '../../../src/plugins/description/description.ts';
import { verification } from '../../../src/testing.ts';
import { read } from '../../support/plain-routes.ts';
import { textsOf } from '../../support/texts-of.ts';

const Note = schema('Note', {
  type: 'object',
  title: 'A note',
  required: ['id', 'title'],
  properties: {
    id: { type: 'integer', readOnly: true },
    title: { type: 'string', minLength: 1 },
    text: { type: 'string', 'x-nullable': true },
    stars: { type: 'integer', default: 3 },
  },
  additionalProperties: false,
});
const STRING = { type: 'string' } as const;
const INTEGER = { type: 'integer' } as const;
const Tagged = { type: 'object', required: ['tag'], properties: { tag: STRING, title: STRING } } as const;

for (const [clause, derived, names, required] of [
  ['pick', pick(Note, 'id', 'text'), 'id text', 'id'],
  ['partial', partial(Note), 'id title text stars', ''],
] as readonly (readonly [clause: string, derived: Schema, names: string, required: string])[])
  test(`schemas – ${clause} → the properties ${names}, required ${required || 'none'}, without the name`, () => {
    const { properties = {}, required: needed = [], title, additionalProperties } = derived;
    assert.deepEqual([Object.keys(properties).join(' '), needed.join(' ')], [names, required]);
    assert.deepEqual([derived[definitionName], title, additionalProperties], [undefined, undefined, false]);
  });

const refusedOf = (value: Schema, body: string, naming: PropertyNaming = 'camelCase') =>
  uncheckedValidator(value, naming)(JSON.parse(body));

for (const [clause, declared, body, value] of [
  [
    'of the whole schema, absent members get their defaults',
    Note,
    '{"title":"a"}',
    { title: 'a', text: null, stars: 3 },
  ],
  ['of a partial schema, an absent property stays absent', partial(Note), '{}', {}],
  ['null stays if the schema allows it', partial(Note), '{"text":null}', { text: null }],
  ['sent values stay', partial(Note), '{"stars":4,"title":"b"}', { title: 'b', stars: 4 }],
  ['also inside allOf', { allOf: [partial(pick(Note, 'text')), Tagged] }, '{"tag":"a"}', { tag: 'a' }],
] as const) {
  test(`schemas – ${clause}: ${body} → ${JSON.stringify(value)}`, () => {
    assert.deepEqual(refusedOf(declared, body), { value });
  });
}

test('schemas – a partial schema → the description does not show its defaults', () => {
  const { components } = described(schema('NoteChange', partial(pick(Note, 'title', 'text', 'stars'))));
  assert.deepEqual(components?.schemas?.['NoteChange'], {
    type: 'object',
    properties: { title: { ...STRING, minLength: 1 }, text: { type: ['string', 'null'] }, stars: INTEGER },
    additionalProperties: false,
  });
});

const SPAN = { type: 'object', required: ['from', 'to'], properties: { from: INTEGER, to: INTEGER } } as const;
const Stay = checked(SPAN, ({ from, to }) =>
  from < to ? undefined : { pointer: '/to', detail: `Expected more than ${from}` },
);
const MORE = { type: 'object', properties: { name: { type: 'string' } } } as const;
const twice = checked(Stay, ({ to }) => [{ detail: `${to} is odd` }, { pointer: '/from', detail: 'So is this' }]);
const FAULT = { detail: 'Expected more than 5' };
const NOT_INTEGER = 'Expected an integer, not a string';
const TOO_LOW = { pointer: '/to', ...FAULT };

for (const [clause, declared, body, faults, naming] of [
  ['a value that passes', Stay, '{"from":1,"to":2}', undefined],
  ['the pointer as it was sent', Stay, '{"from":5,"TO":2}', [{ pointer: '/TO', ...FAULT }]],
  ['the last of several spellings', Stay, '{"from":5,"TO":9,"to":2,"To":3}', [{ pointer: '/To', ...FAULT }]],
  ['in the spelling of the naming', Stay, '{"From":5,"To":3}', [{ pointer: '/To', ...FAULT }], 'PascalCase'],
  ['a value that violates a keyword', Stay, '{"from":"5","to":2}', [{ pointer: '/from', detail: NOT_INTEGER }]],
  [
    'in a list',
    { type: 'array', items: Stay },
    '[{"from":1,"to":2},{"from":5,"to":1}]',
    [{ pointer: '/1/to', ...FAULT }],
  ],
  [
    'in a member',
    { type: 'object', properties: { a: Stay } },
    '{"A":{"from":5,"to":1}}',
    [{ pointer: '/A/to', ...FAULT }],
  ],
  ['of a part of allOf', { allOf: [Stay, MORE] }, '{"from":5,"to":1}', [TOO_LOW]],
  ['in a oneOf, where it selects the schema', { oneOf: [Stay, { type: 'string' }] }, '{"from":1,"to":2}', undefined],
  ['not called for null', { ...Stay, 'x-nullable': true }, 'null', undefined],
  [
    'two checks, and several errors',
    twice,
    '{"from":5,"to":1}',
    [TOO_LOW, { pointer: '', detail: '1 is odd' }, { pointer: '/from', detail: 'So is this' }],
  ],
  [
    'of a scalar',
    { type: 'object', properties: { a: checked(STRING, () => ({ detail: 'No' })) } },
    '{"a":""}',
    [{ pointer: '/a', detail: 'No' }],
  ],
] as const) {
  test(`schemas – a check, ${clause}: ${body} → ${JSON.stringify(faults ?? 'valid')}`, () => {
    assert.deepEqual(textsOf(refusedOf(declared, body, naming).errors), faults);
  });
}

for (const [clause, answer] of [
  ['a promise', Promise.resolve(undefined)],
  ['true', true],
  ['an error without a text', {}],
  ['a pointer without a slash', { pointer: 'to', detail: 'No' }],
] as const) {
  test(`schemas – a check that returns ${clause} → a TypeError, never a pass`, () => {
    const wrong = checked(SPAN, () => answer as never);
    assert.throws(() => refusedOf(wrong, '{"from":1,"to":2}'), /Cannot use the check of a value: it returned/);
  });
}

test('schemas – a derived schema → without the checks of the original', () => {
  assert.equal((pick(Stay, 'to') as Schema)[valueChecks], undefined);
  assert.equal(refusedOf(partial(Stay), '{"from":5,"to":1}').errors, undefined);
});

test('schemas – a check that is not a function → a TypeError', () => {
  assert.throws(() => checked(SPAN, undefined as never), /the check is not a function; give \(value\) => error/);
});

const iban = ownFormat('iban', (text) => /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text));
const even = ownFormat('even', (value) => value % 2 === 0, 'integer');
const properties = { to: { ...iban, maxLength: 34 }, amount: even } as const;
const Payment = schema('Payment', { type: 'object', required: ['to'], properties } as const);
const pay = operation({
  method: 'POST',
  path: 'pay',
  query: { from: iban },
  body: Payment,
  responses: { 200: { schema: Payment } },
  handle: ({ body }) => ok(body.amount === 4 ? { to: 'nowhere' } : body),
});
const paying = application([verification(), { name: 'pay', routes: [pay] }], { log: () => {} });
const IBAN = 'DE02120300000000202051';
const NO_IBAN = { detail: 'Expected the format iban' };

for (const [clause, query, json, status, errors] of [
  ['valid', `?from=${IBAN}`, { to: IBAN, amount: 2 }, 200, undefined],
  [
    'in a body',
    '',
    { to: 'DE', amount: 3 },
    400,
    [
      { pointer: '/to', ...NO_IBAN },
      { pointer: '/amount', detail: 'Expected the format even' },
    ],
  ],
  ['in the query', '?from=x', { to: IBAN }, 400, [{ parameter: 'from', in: 'query', ...NO_IBAN }]],
  ['in a reply, with verification', '', { to: IBAN, amount: 4 }, 500, undefined],
] as const) {
  test(`schemas – a custom format, ${clause} → ${status}`, async () => {
    const reply = await paying.request(`/pay${query}`, { method: 'POST', json });
    assert.equal(reply.status, status);
    assert.deepEqual(textsOf(((await reply.json()) as { errors?: unknown }).errors), errors);
  });
}

const described = (body: Schema) => {
  const { routes } = application([{ name: 'a', routes: [read('a', { method: 'POST', body })] }]);
  return describeOpenApi(routes, { title: 'A' });
};

test('schemas – a custom format → in the description', () => {
  const payment = described(Payment).components?.schemas?.['Payment'] as Schema;
  assert.equal(payment.properties?.['to']?.format, 'iban');
});

test('schemas – a format with the name of a member of every object → a format as any other', () =>
  assert.equal(ownFormat('constructor', () => true).format, 'constructor'));

for (const [name, check, message] of [
  ['date', () => true, /"date": it is the name of a standard format; choose another name/],
  ['isbn', undefined, /"isbn": the check is not a function/],
] as const)
  test(`schemas – the format ${name} with ${typeof check} → a TypeError`, () =>
    assert.throws(() => ownFormat(name, check as () => boolean), { name: 'TypeError', message }));

test('schemas – a validator of the entry for extensions → throws for a wrong schema, as an operation does', () => {
  const wrong = { type: 'object', properties: { a: { type: 'string', maxLenght: 3 } } } as unknown as Schema;
  assert.throws(() => bodyValidator(wrong, 'camelCase'), /a validator.*maxLenght/s);
  assert.deepEqual(bodyValidator({ type: 'object', properties: {} }, 'camelCase')({}), { value: {} });
});

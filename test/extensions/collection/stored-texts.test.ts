/** What is stored of a value, and what is sent of what is stored (D83). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storedTexts } from '../../../src/extensions/collection/stored-texts.ts';
import { type ModelVariant, todoSchema } from '../../../src/extensions/todo/todo-item.ts';
import type { PropertyNaming } from '../../../src/operations/schema/names.ts';
import { schema } from '../../../src/operations/schema/schema.ts';
import { logged } from '../../support/serve.ts';

const texts = (naming: PropertyNaming = 'camelCase', model: ModelVariant = 'base') =>
  storedTexts(todoSchema(model), naming, '"todo.db"');
const item = { key: 'a', name: 'A', isComplete: true };
const CAMEL = '{"key":"a","name":"A","isComplete":true}';
const PASCAL = '{"Key":"a","Name":"A","IsComplete":true}';

for (const [naming, sent] of [
  ['camelCase', CAMEL],
  ['PascalCase', PASCAL],
] as const)
  test(`D83 – a value in a service with ${naming} → stored with the names of the schema, sent as ${sent}`, () => {
    assert.deepEqual(texts(naming).written(item), { stored: CAMEL, sent });
    assert.equal(texts(naming).sent('a', CAMEL), sent);
  });

for (const [what, stored, sent] of [
  ['written by hand', '{ "isComplete": true, "name": "A", "key": "a" }', CAMEL],
  ['with escapes', '{"key":"a","name":"\\n\\u00e9","isComplete":true}', '{"key":"a","name":"\\né","isComplete":true}'],
  ['with a member of another version', '{"key":"a","name":"A","isComplete":true,"more":1}', CAMEL],
] as const)
  test(`D83 – a value ${what} → sent as the service writes it`, () => {
    assert.equal(texts().sent('a', stored), sent);
  });

for (const [what, stored, detail] of [
  ['no JSON', '{"key":', / is no JSON;/],
  ['nothing', '', / is no JSON;/],
  ['null', 'null', / is not an object;/],
  ['a list', '[]', / is not an object;/],
  ['a wrong type', '{"key":"a","name":1,"isComplete":true}', / at "\/name" is not a string or null;/],
] as const)
  test(`D83 – wrong data, ${what} → skipped, with one warning that names the store, the item and the cause`, () => {
    const made = texts();
    assert.equal(made.sent('a\n', stored), undefined);
    assert.equal(made.sent('b', stored), undefined);
    const lines = logged.splice(0);
    assert.equal(lines.length, 1);
    const { message } = JSON.parse(lines[0]!) as { readonly message: string };
    assert.match(message, /^Wrong data in "todo\.db": the value of the item "a\\n" .*; it is skipped/);
    assert.match(message, detail);
  });

test('D83 – a name is required now, and an item without one is stored → skipped', () => {
  assert.equal(texts('camelCase', 'annotated').sent('a', '{"key":"a","name":null,"isComplete":true}'), undefined);
  assert.equal(logged.splice(0).length, 1);
});

test('D83 – the versions of one item in two namings → different, for the texts are; each is found again', () => {
  const [camel, pascal] = [texts(), texts('PascalCase')];
  assert.notEqual(camel.sentVersion('v1'), pascal.sentVersion('v1'));
  for (const made of [camel, pascal]) assert.equal(made.storedVersion(made.sentVersion('v1')), 'v1');
  assert.notEqual(pascal.storedVersion(camel.sentVersion('v1')), 'v1');
});

const strict = schema('Strict', {
  type: 'object',
  properties: {
    state: { type: 'string', enum: ['open', 'closed'] },
    name: { type: 'string', maxLength: 3 },
    count: { type: 'integer', format: 'int32' },
  },
});
for (const [what, value, isRight] of [
  ['keeps each keyword', { state: 'open', name: 'abc', count: 1 }, true],
  ['is none of the enum', { state: 'other', name: 'abc', count: 1 }, false],
  ['is too long', { state: 'open', name: 'abcd', count: 1 }, false],
  ['has more than 32 bits', { state: 'open', name: 'abc', count: 2 ** 40 }, false],
] as const)
  for (const naming of ['camelCase', 'PascalCase'] as const)
    test(`D83 – a value that ${what}, in a service with ${naming} → ${isRight ? 'sent' : 'skipped'}`, () => {
      const sent = storedTexts(strict, naming, '"todo.db"').sent('a', JSON.stringify(value));
      assert.equal(sent !== undefined, isRight);
      assert.equal(logged.splice(0).length, isRight ? 0 : 1);
    });

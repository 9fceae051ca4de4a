import assert from 'node:assert/strict';
import { test } from 'node:test';
import { route } from '../../../src/core/routing/route.ts';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import { parseTemplate } from '../../../src/core/routing/template.ts';
import { pathSchema, typedValues } from '../../../src/operations/parameters/path-parameter.ts';
import { contextFor } from '../../../src/testing.ts';

const ALSO_TAKEN = 'NaN, Infinity and -Infinity are accepted, too';
const lengths = (minLength: number, maxLength: number, units: string) =>
  ({ type: 'string', minLength, maxLength, description: `UTF-16 units: ${units}` }) as const;
const INT64 = { type: 'integer', format: 'int64' };
for (const [text, schema, path, value] of [
  ['{a}', { type: 'string' }, '5', '5'],
  ['{a:int}', { type: 'integer', format: 'int32' }, '+05', 5],
  ['{a:INT:range(1,5)}', { type: 'integer', format: 'int32', minimum: 1, maximum: 5 }, '5', 5],
  ['{a:long}', INT64, '9223372036854775807', 9223372036854775807n],
  ['{a:range(1,5)}', { ...INT64, minimum: 1, maximum: 5 }, '3', 3n],
  ['{a:min(2)}', { ...INT64, minimum: 2 }, '2', 2n],
  ['{a:max(2):int}', { type: 'integer', format: 'int32', maximum: 2 }, '-1', -1],
  [
    '{a:guid}',
    { type: 'string', format: 'uuid' },
    '2f1e0a3c-9b7d-4c5e-8f6a-0123456789ab',
    '2f1e0a3c-9b7d-4c5e-8f6a-0123456789ab',
  ],
  ['{a:bool}', { type: 'boolean' }, 'True', true],
  ['{a:bool=false}', { type: 'boolean' }, 'FALSE', false],
  ['{a:double}', { type: 'number', format: 'double', description: ALSO_TAKEN }, '1,234.5e1', 12345],
  ['{a:double}', { type: 'number', format: 'double', description: ALSO_TAKEN }, ' NaN', NaN],
  ['{a:float}', { type: 'number', format: 'float', description: ALSO_TAKEN }, '-Infinity', -Infinity],
  ['{a:decimal?}', { type: 'number' }, '1.5-', -1.5],
  ['{a:length(2,3):alpha}', { ...lengths(1, 3, '2 to 3'), pattern: '^[A-Za-z]*$' }, 'ab', 'ab'],
  ['{a:length(2)}', lengths(1, 2, '2'), '😀', '😀'],
  ['{a:length(3)}', lengths(2, 3, '3'), 'a😀', 'a😀'],
  ['{a:minlength(4)}', { type: 'string', minLength: 2, description: 'UTF-16 units: at least 4' }, '😀😀', '😀😀'],
  ['{a:maxlength(3)}', { type: 'string', maxLength: 3, description: 'UTF-16 units: at most 3' }, 'abc', 'abc'],
  ['{a:minlength(1):maxlength(9)}', lengths(1, 9, 'at least 1; UTF-16 units: at most 9'), 'x', 'x'],
  ['{a:min(3):min(1)}', { ...INT64, minimum: 3 }, '4', 4n],
  ['{a:minlength(3):length(1,9)}', lengths(2, 9, 'at least 3; UTF-16 units: 1 to 9'), 'abc', 'abc'],
  ['{a:required}', { type: 'string', minLength: 1 }, '😀', '😀'],
  ['{a:max(9223372036854775807)}', INT64, '4', 4n],
  ['{a:datetime}', { type: 'string' }, '2024-01-01', '2024-01-01'],
  ['{a:regex(^x:y$)}', { type: 'string' }, 'x:y', 'x:y'],
] as const)
  test(`D70 ${text} – ${path} → its schema and its typed value`, () => {
    const template = parseTemplate(text);
    assert.deepEqual(pathSchema(template.parameters[0]!), schema);
    const routes = new RouteCollection().add(route({ path: text, handle: () => assert.fail() }));
    const { values } = routes.match(contextFor(`/${encodeURIComponent(path)}`))!;
    assert.deepEqual({ ...typedValues(template)(values) }, { a: value });
  });

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { describeOpenApi } from '../../../src/plugins/description/describe-openapi.ts';
import { describe } from '../../../src/plugins/description/describe-swagger.ts';
import { composedRoutes } from '../../support/composed-routes.ts';
import { read } from '../../support/plain-routes.ts';

const find = read('{task:int}/{stars:range(1,5)}', {
  parameters: { task: 'The task' },
  query: {
    page: { type: 'integer', minimum: 1, default: 1, description: 'The page', example: 2 },
    tag: { type: 'array', items: { type: 'string' } },
    ids: { type: 'array', items: { type: 'integer' }, collectionFormat: 'pipes', deprecated: true },
  },
  headers: { 'X-Tenant': { type: 'string', required: true }, 'X-Parts': { type: 'array' } },
});
const routes = composedRoutes(routesOf({ name: 'Finder', path: 'api', operations: [find] }));
const PATH = '/api/{task}/{stars}';
const OPTIONS = { title: 'A test' };
/** The schema of a list of texts, in both documents. */
const TEXTS = { type: 'array', items: { type: 'string' } };
const INTEGERS = { type: 'array', items: { type: 'integer' } };
const STARS = { type: 'integer', format: 'int64', minimum: 1, maximum: 5 };
/** A parameter without a text in 2.0. */
const silent = (name: string, place: string) => ({ name, in: place, description: '' });

test('D70 parameters in Swagger 2.0 → their keywords are members of the parameter', () => {
  const { parameters, responses } = describe(routes, OPTIONS).paths[PATH]!.get!;
  assert.deepEqual(parameters, [
    { name: 'task', in: 'path', description: 'The task', required: true, type: 'integer', format: 'int32' },
    { ...silent('stars', 'path'), required: true, ...STARS },
    { name: 'page', in: 'query', description: 'The page', type: 'integer', minimum: 1, default: 1, 'x-example': 2 },
    { ...silent('tag', 'query'), ...TEXTS, collectionFormat: 'multi' },
    { ...silent('ids', 'query'), ...INTEGERS, collectionFormat: 'pipes' },
    { ...silent('X-Tenant', 'header'), required: true, type: 'string' },
    { ...silent('X-Parts', 'header'), ...TEXTS, collectionFormat: 'csv' },
  ]);
  assert.deepEqual(Object.keys(responses), ['204', '400']);
});

test('D70 a declared path parameter → also has the limits of its route; its title is `x-title` in 2.0', () => {
  const limited = read('one/{n:range(1,5)}/{x:double}', {
    parameters: {
      n: { type: 'integer', description: 'N', title: 'A number', minimum: 0, maximum: 4 },
      x: { type: 'number', minimum: 0.5 },
    },
    query: { tags: { type: 'array', items: { type: 'string', description: 'A tag', example: 'x' } } },
    responses: { 204: { headers: { 'X-A': { type: 'string', title: 'A', description: 'An A' } } } },
  });
  const { parameters, responses } = describe(composedRoutes([limited]), OPTIONS).paths['/one/{n}/{x}']!.get!;
  const tag = { 'x-description': 'A tag', 'x-example': 'x', type: 'string' };
  assert.deepEqual(parameters, [
    { name: 'n', in: 'path', description: 'N', required: true, 'x-title': 'A number', ...STARS, maximum: 4 },
    { ...silent('x', 'path'), required: true, type: 'number', format: 'double', minimum: 0.5 },
    { ...silent('tags', 'query'), type: 'array', items: tag, collectionFormat: 'multi' },
  ]);
  assert.deepEqual(responses['204']!.headers, { 'X-A': { 'x-title': 'A', type: 'string', description: 'An A' } });
});

const UNITS = 'UTF-16 units: at most 8';
const ALSO_TAKEN = 'NaN, Infinity and -Infinity are accepted, too';
/** The declared parameters with their texts in the document. */
for (const [clause, parameters, slug, x] of [
  ['no declaration', {}, UNITS, ALSO_TAKEN],
  ['texts', { slug: 'A slug', x: 'An x' }, `A slug\n\n${UNITS}`, `An x\n\n${ALSO_TAKEN}`],
  [
    'a text with a limit',
    { slug: { type: 'string', minLength: 2, description: 'Short' } },
    `Short\n\n${UNITS}`,
    ALSO_TAKEN,
  ],
  ['a number', { x: { type: 'number', description: 'An x' } }, UNITS, 'An x'],
  ['an integer', { x: { type: 'integer' } }, UNITS, ''],
  ['a text for a number', { x: { type: 'string' } }, UNITS, ALSO_TAKEN],
] as const)
  test(`D130 {slug:maxlength(8)} and {x:double}, ${clause} → the texts say what the keywords cannot`, () => {
    const described = composedRoutes([read('{slug:maxlength(8)}/{x:double}', { parameters })]);
    for (const make of [describe, describeOpenApi])
      assert.deepEqual(
        make(described, OPTIONS).paths['/{slug}/{x}']!.get!.parameters.map(
          ({ description = '' }) => description as string,
        ),
        [slug, x],
      );
  });

test('D70 parameters in OpenAPI 3.1 → a schema, and style and explode of lists', () => {
  const { parameters } = describeOpenApi(routes, OPTIONS).paths[PATH]!.get!;
  const page = { type: 'integer', minimum: 1, default: 1 };
  assert.deepEqual(parameters, [
    { name: 'task', in: 'path', description: 'The task', required: true, schema: { type: 'integer', format: 'int32' } },
    { name: 'stars', in: 'path', required: true, schema: STARS },
    { name: 'page', in: 'query', description: 'The page', schema: page, example: 2 },
    { name: 'tag', in: 'query', style: 'form', explode: true, schema: TEXTS },
    { name: 'ids', in: 'query', deprecated: true, style: 'pipeDelimited', explode: false, schema: INTEGERS },
    { name: 'X-Tenant', in: 'header', required: true, schema: { type: 'string' } },
    { name: 'X-Parts', in: 'header', style: 'simple', explode: false, schema: TEXTS },
  ]);
});

/**
 * A member of a declaration that is undefined counts as omitted, even one that no declaration has. Tests operations,
 * responses, schemas, forms and plugins in one application; `unset-options.test.ts` tests the options of each function.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  application,
  noContent,
  ok,
  operation,
  operations,
  type Plugin,
  type Problem,
  problem,
  routesOf,
} from '../../src/index.ts';
import { form } from '../../src/operations/uploads/upload.ts';
import { description, type OpenApiDocument } from '../../src/plugins/description/description.ts';

const u = undefined;
/** A member that no declaration has, as JavaScript may give it. */
const unheard: object = { unheard: u };
const guid = operation({
  ...unheard,
  method: 'GET',
  path: '{id:guid}',
  parameters: { id: { type: 'string', format: u, minLength: u, description: 'Its id' } },
  body: u,
  query: u,
  headers: u,
  security: u,
  stages: u,
  responses: {
    200: { schema: { type: 'object', allOf: u, properties: { name: { type: 'string', default: u } } } },
    409: { ...unheard },
  },
  handle: ({ values }) =>
    values.id === '' ? ok({}) : problem(409, 'No', { type: u, title: u, errors: u, headers: u }),
});
const upload = operation({
  method: 'POST',
  path: '',
  body: form({ file: { type: 'file', maxBytes: u, ...unheard } }),
  responses: { 204: {} },
  handle: () => noContent(),
});
const group = { ...unheard, name: 'A', path: 'a', operations: [guid, upload], security: u, stages: u };
const plugin: Plugin = {
  ...unheard,
  name: 'a',
  stages: u,
  outerStages: u,
  routes: routesOf(group),
  offers: u,
  composed: u,
  parts: u,
  start: u,
  stop: u,
};
const composed = application([operations({ naming: 'PascalCase' }), description({ title: 'A' }), plugin]);

test('surface – declarations whose optional members are all undefined → as without them', async () => {
  await composed.start();
  const key = '2f1e0a3c-9b7d-4c5e-8f6a-0123456789ab';
  const refused = (await (await composed.request(`/a/${key}`)).json()) as Problem;
  assert.deepEqual([refused.type, refused.title], ['about:blank', 'Conflict']);
  const { paths } = (await (await composed.request('/swagger/v1/openapi.json')).json()) as OpenApiDocument;
  const { parameters, responses } = paths['/a/{id}']!.get!;
  assert.deepEqual(parameters?.[0]?.schema, { format: 'uuid', type: 'string' });
  assert.deepEqual(Object.keys((responses['200'] as any).content['application/json'].schema.properties), ['Name']);
});

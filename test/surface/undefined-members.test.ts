/**
 * A member of a declaration that is undefined counts as omitted. Tests operations, responses, schemas and plugins in one
 * application; `unset-options.test.ts` tests the options of each function.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  application,
  ok,
  operation,
  operations,
  type Plugin,
  type Problem,
  problem,
  routesOf,
  serve,
} from '../../src/index.ts';
import { description, type OpenApiDocument } from '../../src/plugins/description/description.ts';
import { todo } from '../../src/plugins/todo/todo.ts';
import { cors } from '../../src/shelf/cors/cors.ts';
import { accessLog } from '../../src/shelf/logs/access-log.ts';
import { metrics } from '../../src/shelf/metrics/metrics.ts';
import { rateLimit } from '../../src/shelf/rate-limit/rate-limit.ts';

const u = undefined;
const guid = operation({
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
    409: {},
  },
  handle: ({ values }) =>
    values.id === '' ? ok({}) : problem(409, 'No', { type: u, title: u, errors: u, headers: u }),
});
const documents = description({ title: 'A', basePath: u, contact: u, license: u, lazy: u });
const plugin: Plugin = {
  name: 'a',
  stages: u,
  outerStages: u,
  routes: routesOf({ name: 'A', path: 'a', operations: [guid], security: u, stages: u }),
  offers: u,
  composed: u,
  start: u,
  stop: u,
};
const composed = application(
  [
    operations({ naming: 'PascalCase', security: u, strictQuery: u, problems: u }),
    accessLog({ descriptor: u, members: u }),
    cors({ origins: ['https://a.example'], methods: u, headers: u, exposed: u, maxAge: u }),
    metrics({ more: u, stages: u }),
    rateLimit({ limit: 9, window: 9000, keyOf: u, maxKeys: u, now: u, name: u }),
    todo({ naming: 'PascalCase', model: u, store: u, newKey: u, maxItems: u, maxBytes: u }),
    documents,
    plugin,
  ],
  { basePath: u, allowedHosts: u, trustedProxies: u, unanswered: u, log: u },
);

test('surface – an application and plugins whose options are all undefined → use the defaults', async () => {
  await composed.start();
  const key = '2f1e0a3c-9b7d-4c5e-8f6a-0123456789ab';
  const refused = (await (await composed.request(`/a/${key}`)).json()) as Problem;
  assert.deepEqual([refused.type, refused.title], ['about:blank', 'Conflict']);
  const { paths } = (await (await composed.request('/swagger/v1/openapi.json')).json()) as OpenApiDocument;
  const { parameters, responses } = paths['/a/{id}']!.get!;
  assert.deepEqual(parameters?.[0]?.schema, { format: 'uuid', type: 'string' });
  assert.deepEqual(Object.keys((responses['200'] as any).content['application/json'].schema.properties), ['Name']);
  const unset = { host: u, tls: u, limits: u, shutdownGrace: u, drainDelay: u, signals: u };
  const { close } = await serve(composed, { port: 0, ...unset });
  await close();
});

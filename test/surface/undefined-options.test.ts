/**
 * Every public option takes undefined, under `exactOptionalPropertyTypes` too: `{ naming: settings.naming }` needs no
 * spread. The compiler is asked of each exported interface whose name says that it is given to the library.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cors } from '../../src/extensions/cors/cors.ts';
import { description, type OpenApiDocument } from '../../src/extensions/description/description.ts';
import { accessLog } from '../../src/extensions/logs/access-log.ts';
import { metrics } from '../../src/extensions/monitoring/metrics.ts';
import { rateLimit } from '../../src/extensions/rate-limit/rate-limit.ts';
import { todo } from '../../src/extensions/todo/todo.ts';
import { application, ok, operation, type Plugin, type Problem, problem, serve } from '../../src/index.ts';
import { ROOT } from '../house/source-files.ts';
import { entries } from '../release/entries.ts';
import { compiled } from './compiled.ts';
import { exportedNames } from './exported-names.ts';

/** Of the exported types, those that are given. */
const GIVEN =
  /(?:Options|Declaration|Limits|Changes)$|^(?:AnyOperation|Controller|Gauge|InjectedRequest|Instrument|Parameters|Plugin|ProblemExtra|Schema|SentRequest|ServerSentEvent|Violation)$/;

const given = exportedNames().filter(({ name, isType }) => isType && GIVEN.test(name));
const sourceOf = (specifier: string) => entries().find((one) => one.specifier === specifier)!.source;

test('surface – each optional member of what is given to the library → takes undefined', () => {
  assert.ok(given.length > 20, given.map(({ name }) => name).join(', '));
  const lines = given.flatMap(({ name, specifier }, at) => [
    `import type { ${name} as T${at} } from '${join(ROOT, sourceOf(specifier))}';`,
    `export const of${name}: Undefined<T${at}> extends Pick<T${at}, Optional<T${at}>> ? true : Refused<T${at}> = true;`,
  ]);
  const program = [
    'type Optional<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];',
    'type Undefined<T> = { [K in Optional<T>]: undefined };',
    'type Refused<T> = { [K in Optional<T>]: { [L in K]: undefined } extends Pick<T, K> ? never : K }[Optional<T>];',
    ...lines,
  ];
  const { stdout } = compiled({ 'program.ts': program.join('\n') });
  assert.equal(stdout, '');
});

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
const documents = description({ title: 'A', naming: u, basePath: u, contact: u, license: u, lazy: u });
const plugin: Plugin = {
  name: 'a',
  stages: u,
  outerStages: u,
  controllers: [{ name: 'A', path: 'a', operations: [guid], security: u, stages: u, responses: u, linkScopes: u }],
  routes: u,
  start: u,
  stop: u,
};
const composed = application(
  [
    accessLog({ descriptor: u, bound: u }),
    cors({ origins: ['https://a.example'], methods: u, headers: u, exposed: u, maxAge: u }),
    metrics({ maxSeries: u, buckets: u, stages: u }),
    rateLimit({ limit: 9, window: 9000, keyOf: u, maxKeys: u, now: u, name: u }),
    todo({ naming: u, model: u, store: u, newKey: u, maxItems: u, maxBytes: u }),
    documents,
    plugin,
  ],
  { naming: 'PascalCase', basePath: u, allowedHosts: u, trustedProxies: u, unanswered: u, problems: u, log: u },
);

test('surface – options that are undefined → as if they were not given', async () => {
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

/**
 * Every public option takes undefined, under `exactOptionalPropertyTypes` too: `{ naming: settings.naming }` needs no
 * spread. The compiler is asked of each exported interface whose name says that it is given to the library.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cors } from '../../src/extensions/cors/cors.ts';
import { description, type OpenApiDocument } from '../../src/extensions/description/description.ts';
import { accessLog } from '../../src/extensions/monitoring/access-log.ts';
import { metrics } from '../../src/extensions/monitoring/metrics.ts';
import { rateLimit } from '../../src/extensions/rate-limit/rate-limit.ts';
import { todo } from '../../src/extensions/todo/todo.ts';
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
import { ROOT } from '../house/source-files.ts';
import { entries } from '../release/entries.ts';
import { compiled } from './compiled.ts';
import { exportedNames } from './exported-names.ts';

/** The functions and classes that take an object of options whose type has no name of its own in an entry. */
const TAKING: readonly (readonly [name: string, type: string])[] = [
  ['compression', 'Parameters<typeof F>[0]'],
  ['rateLimit', 'Parameters<typeof F>[0]'],
  ['description', 'Parameters<typeof F>[0]'],
  ['events', 'Parameters<typeof F>[2]'],
  ['file', 'Parameters<typeof F>[2]'],
  ['staticFiles', 'Parameters<typeof F>[0]'],
  ['health', 'Parameters<typeof F>[0]'],
  ['accessLog', 'Parameters<typeof F>[0]'],
  ['metrics', 'Parameters<typeof F>[0]'],
  ['requestLog', 'Parameters<typeof F>[0]'],
  ['RedisStore', 'ConstructorParameters<typeof F>[1]'],
  ['SqliteStore', 'ConstructorParameters<typeof F>[1]'],
  ['swaggerPage', 'Parameters<typeof F>[0]'],
  ['todo', 'Parameters<typeof F>[0]'],
  ['trace', 'Parameters<typeof F>[0]'],
  ['bytes', 'Exclude<Parameters<typeof F>[0], string>'],
  ['form', 'Parameters<typeof F>[1]'],
];

/** Of the exported types, those that are given. */
const GIVEN =
  /(?:Options|Declaration|Limits|Changes)$|^(?:AnyOperation|Controller|Gauge|InjectedRequest|Instrument|Parameters|Plugin|ProblemExtra|Schema|SentRequest|ServerSentEvent|Violation)$/;

const given = exportedNames().filter(({ name, isType }) => isType && GIVEN.test(name));
const sourceOf = (specifier: string) => entries().find((one) => one.specifier === specifier)!.source;

test('surface – each optional member of what is given to the library → takes undefined', () => {
  assert.ok(given.length > 15, given.map(({ name }) => name).join(', '));
  const lines = given.flatMap(({ name, specifier }, at) => [
    `import type { ${name} as T${at} } from '${join(ROOT, sourceOf(specifier))}';`,
    `export const of${name}: Undefined<T${at}> extends Pick<T${at}, Optional<T${at}>> ? true : Refused<T${at}> = true;`,
  ]);
  const taking = TAKING.flatMap(([name, type], at) => {
    const { specifier } = exportedNames().find((one) => one.name === name)!;
    const options = `NonNullable<${type.replace('F', name)}>`;
    return [
      `import { ${name} } from '${join(ROOT, sourceOf(specifier))}';`,
      `type O${at} = ${options};`,
      `export const to${name}: Undefined<O${at}> extends Pick<O${at}, Optional<O${at}>> ? true : Refused<O${at}> = true;`,
    ];
  });
  const program = [
    'type Optional<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];',
    'type Undefined<T> = { [K in Optional<T>]: undefined };',
    'type Refused<T> = { [K in Optional<T>]: { [L in K]: undefined } extends Pick<T, K> ? never : K }[Optional<T>];',
    ...lines,
    ...taking,
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
const documents = description({ title: 'A', basePath: u, contact: u, license: u, lazy: u });
const plugin: Plugin = {
  name: 'a',
  stages: u,
  outerStages: u,
  routes: routesOf({ name: 'A', path: 'a', operations: [guid], security: u, stages: u, responses: u, problems: u }),
  offers: u,
  composed: u,
  start: u,
  stop: u,
};
const composed = application(
  [
    operations({ naming: 'PascalCase', security: u, strictQuery: u, problems: u }),
    accessLog({ descriptor: u, bound: u }),
    cors({ origins: ['https://a.example'], methods: u, headers: u, exposed: u, maxAge: u }),
    metrics({ maxSeries: u, buckets: u, stages: u }),
    rateLimit({ limit: 9, window: 9000, keyOf: u, maxKeys: u, now: u, name: u }),
    todo({ naming: 'PascalCase', model: u, store: u, newKey: u, maxItems: u, maxBytes: u }),
    documents,
    plugin,
  ],
  { basePath: u, allowedHosts: u, trustedProxies: u, unanswered: u, log: u },
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

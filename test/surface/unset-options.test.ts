/**
 * Passing `undefined` for an option is the same as omitting it. Calls each function with all options undefined.
 * `undefined-members.test.ts` tests the members of declarations.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { HttpService } from '../../src/extending.ts';
import { LIMITS, RouteCollection } from '../../src/http.ts';
import {
  answer,
  application,
  contextWith,
  empty,
  json,
  listener,
  operations,
  redirect,
  replyWith,
  route,
  serve,
  stream,
  text,
} from '../../src/index.ts';
import { byteStream, bytes, form } from '../../src/operations/uploads/upload.ts';
import { RepresentedCollection } from '../../src/plugins/collection/collection.ts';
import { describe, describeOpenApi, description } from '../../src/plugins/description/description.ts';
import { file, staticFiles, staticSite } from '../../src/plugins/files/files.ts';
import { swaggerPage } from '../../src/plugins/swagger-page/swagger-page.ts';
import { todo, todoSchema } from '../../src/plugins/todo/todo.ts';
import { trace } from '../../src/plugins/trace/trace.ts';
import { apiKeys, bearerTokens } from '../../src/shelf/authentication/authentication.ts';
import { compression } from '../../src/shelf/compression/compression.ts';
import { cors } from '../../src/shelf/cors/cors.ts';
import { events } from '../../src/shelf/events/events.ts';
import { health } from '../../src/shelf/health/health.ts';
import { accessLog, requestLog } from '../../src/shelf/logs/logs.ts';
import { metrics } from '../../src/shelf/metrics/metrics.ts';
import { rateLimit } from '../../src/shelf/rate-limit/rate-limit.ts';
import { RedisStore } from '../../src/shelf/redis/redis-store.ts';
import { SqliteStore } from '../../src/shelf/sqlite/sqlite-store.ts';
import { contextFor } from '../../src/testing.ts';
import { textOf } from '../house/source-files.ts';

const u = undefined;

type OptionalOf<Options> = {
  [Name in keyof Options]-?: object extends Pick<Options, Name> ? Name : never;
}[keyof Options];
/** All optional members as undefined. A missing member is a compiler error. */
type Unset<Options> = { readonly [Name in OptionalOf<Options>]: undefined };

interface Row {
  readonly name: string;
  readonly call: (unset: object) => unknown;
  readonly unset: object;
}

const row = <Options extends object>(
  name: string,
  call: (options: Options) => unknown,
  unset: Unset<NoInfer<Options>>,
): Row => ({ name, call: call as Row['call'], unset });

type Callable = (...values: any) => unknown;
type First<Call extends Callable> = NonNullable<Parameters<Call>[0]>;
type Second<Call extends Callable> = NonNullable<Parameters<Call>[1]>;
type Third<Call extends Callable> = NonNullable<Parameters<Call>[2]>;

/** Options of other functions. */
const FOREIGN = { log: u, newKey: u, limit: u, type: u };
const REPLY = { status: u, headers: u };
const SCHEME = { name: u, realm: u, description: u, roles: u };
const DOCUMENT = { version: u, description: u, termsOfService: u, contact: u, license: u, basePath: u, comments: u };
const FILES = { at: u, index: u, maxAge: u, dotfiles: u };
const SERVED = { limits: u, tls: u };
const SCHEMA = todoSchema();
const FOLDER = new URL('../../static/site/', import.meta.url);
const context = contextFor('/');

const ROWS: readonly Row[] = [
  row('text', (options: Second<typeof text>) => text('a', options), REPLY),
  row('json', (options: Second<typeof json>) => json(1, options), REPLY),
  row('empty', (options: First<typeof empty>) => empty(options), REPLY),
  row('stream', (options: Second<typeof stream>) => stream('a', options), { ...REPLY, mediaType: u }),
  row('redirect', (options: Third<typeof redirect>) => redirect('/', u, options), { headers: u }),
  row('replyWith', (changes: Second<typeof replyWith>) => replyWith(text('a'), changes), { ...REPLY, body: u }),
  row('answer', (options: Third<typeof answer>) => answer(200, {}, options), { headers: u, location: u }),
  row('events', (options: Third<typeof events>) => events(context, async function* () {}, options), {
    headers: u,
    keepAlive: u,
    retry: u,
  }),
  row('file', (options: Third<typeof file>) => file(context, new URL('index.html', FOLDER), options), {
    root: u,
    mediaType: u,
    downloadAs: u,
    cacheControl: u,
    headers: u,
  }),
  row('contextWith', (changes: Second<typeof contextWith>) => contextWith(context, changes), {
    method: u,
    path: u,
    basePath: u,
    query: u,
    headers: u,
    requestId: u,
    body: u,
  }),
  row('contextFor', (options: Second<typeof contextFor>) => contextFor('/', options).path, {
    method: u,
    headers: u,
    body: u,
    json: u,
    basePath: u,
    remoteAddress: u,
    stopping: u,
    signal: u,
  }),
  row('application', (options: Second<typeof application>) => application([], options).routes, {
    basePath: u,
    allowedHosts: u,
    trustedProxies: u,
    unanswered: u,
    log: u,
    newRequestId: u,
    warn: u,
    instrument: u,
  }),
  row(
    'request',
    (init: { method?: string | undefined }) =>
      application([])
        .request('/', init)
        .then(({ status }) => status),
    {
      method: u,
    },
  ),
  row(
    'serve',
    async (options: Second<typeof serve>) => {
      const { service, close } = await serve(application([]), { ...options, port: 0 });
      await close();
      return service.limits;
    },
    { ...SERVED, port: u, host: u, shutdownGrace: u, drainDelay: u, signals: u },
  ),
  row(
    'HttpService',
    (options: { limits?: undefined; tls?: undefined }) => new HttpService(() => text('a'), options).limits,
    SERVED,
  ),
  row('listener', (options: Second<typeof listener>) => listener(() => text('a'), options), { limits: u }),
  row(
    'limits',
    (limits: Partial<typeof LIMITS>) => new HttpService(() => text('a'), { limits }).limits,
    Object.fromEntries(Object.keys(LIMITS).map((name) => [name, u])) as Unset<Partial<typeof LIMITS>>,
  ),
  row('route', (options: Partial<First<typeof route>>) => route({ ...options, path: 'a', handle: () => text('a') }), {
    path: u,
    handle: u,
    public: u,
    method: u,
    stages: u,
    name: u,
    defaults: u,
    constraints: u,
    dataTokens: u,
    scope: u,
  }),
  row(
    'RouteCollection',
    (options: ConstructorParameters<typeof RouteCollection>[0] & {}) => new RouteCollection(options),
    {
      constraints: u,
      lowercaseUrls: u,
      appendTrailingSlash: u,
    },
  ),
  row('operations', operations, { naming: u, security: u, strictQuery: u, problems: u }),
  row('compression', (options: First<typeof compression>) => compression(options), { threshold: u, codings: u }),
  row('cors', (options: First<typeof cors>) => cors({ ...options, origins: ['https://a.example'] }), {
    methods: u,
    headers: u,
    exposed: u,
    maxAge: u,
  }),
  row('rateLimit', (options: First<typeof rateLimit>) => rateLimit({ ...options, limit: 9, window: 9000 }), {
    keyOf: u,
    remoteAddress: u,
    maxKeys: u,
    now: u,
    name: u,
  }),
  row('bearerTokens', (options: Second<typeof bearerTokens>) => bearerTokens({}, options), SCHEME),
  row('apiKeys', (options: Second<typeof apiKeys>) => apiKeys({}, options), { ...SCHEME, in: u, parameter: u }),
  row('describe', (options: Second<typeof describe>) => describe([], { ...options, title: 'A' }), DOCUMENT),
  row(
    'describeOpenApi',
    (options: Second<typeof describeOpenApi>) => describeOpenApi([], { ...options, title: 'A' }),
    DOCUMENT,
  ),
  row('description', (options: First<typeof description>) => description({ ...options, title: 'A' }), {
    ...DOCUMENT,
    lazy: u,
  }),
  row('staticFiles', (options: First<typeof staticFiles>) => staticFiles({ ...options, root: FOLDER }), FILES),
  row('staticSite', (options: First<typeof staticSite>) => staticSite({ ...options, root: FOLDER }), FILES),
  row('accessLog', (options: First<typeof accessLog>) => accessLog(options), {
    descriptor: u,
    members: u,
  }),
  row('health', (options: First<typeof health>) => health({ ...options, ready: () => true }), {}),
  row('metrics', (options: First<typeof metrics>) => metrics(options), {
    more: u,
    stages: u,
    ignored: u,
  }),
  row('requestLog', (options: First<typeof requestLog>) => requestLog(options), { log: u }),
  row('swaggerPage', (options: First<typeof swaggerPage>) => swaggerPage(options), {
    path: u,
    document: u,
    folder: u,
    vendored: u,
    secure: u,
    warn: u,
  }),
  row('todo', (options: First<typeof todo>) => todo(options).name, {
    naming: u,
    model: u,
    store: u,
    newKey: u,
    maxItems: u,
    maxBytes: u,
  }),
  row(
    'RepresentedCollection',
    (limits: { maxItems?: number; maxBytes?: number }) => new RepresentedCollection(SCHEMA, 'camelCase', limits),
    {
      maxItems: u,
      maxBytes: u,
    },
  ),
  row(
    'RedisStore',
    (options: ConstructorParameters<typeof RedisStore>[1]) =>
      new RedisStore(SCHEMA, { ...options, url: 'redis://localhost' }),
    {
      url: u,
      naming: u,
      timeout: u,
      wait: u,
      maxItems: u,
      client: u,
      list: u,
      watch: u,
    },
  ),
  row(
    'SqliteStore',
    (options: ConstructorParameters<typeof SqliteStore>[1]) => new SqliteStore(SCHEMA, { ...options, file: 'a.db' }),
    {
      naming: u,
      synchronous: u,
      maxItems: u,
      maxBytes: u,
      watch: u,
    },
  ),
  row('trace', (options: First<typeof trace>) => trace(options).name, {
    path: u,
    everyone: u,
    inProduction: u,
    apart: u,
  }),
  row('bytes', (options: { maxBytes?: number }) => bytes({ ...options, mediaTypes: ['image/png'] }), { maxBytes: u }),
  row('byteStream', (options: { maxBytes?: number }) => byteStream({ ...options, mediaTypes: ['image/png'] }), {
    maxBytes: u,
  }),
  row('form', (options: { maxBytes?: number }) => form({}, options), { maxBytes: u }),
];

/** Shows a value without its undefined members. */
const shown = (value: unknown): string =>
  inspect(value, { depth: 4, compact: true, breakLength: Infinity })
    .replaceAll(/\w+: undefined,?/g, '')
    .replaceAll(/[\s,]+/g, '');

for (const { name, call, unset } of ROWS)
  test(`surface – ${name} with every option undefined → acts as without options`, async () =>
    assert.equal(shown(await call({ ...FOREIGN, ...unset })), shown(await call({}))));

test('surface – every function with options → has a row here', () => {
  const surface = textOf('src/guide/public-surface.txt').replaceAll(/ErrorOptions|^function assertOptions.*/gm, '');
  const calls = surface.matchAll(
    /^(?:(?:function|const)|class (\w+)(?:(?!^\}$)[^])*?\n    constructor)( \w+)?([^\n]*)/gm,
  );
  const named = Array.from(calls, ([, ofClass, name = '', members]) => [ofClass ?? name.trim(), members!] as const);
  const withOptions = named.filter(([, members]) => /\b(?:\w*Options|CollectionLimits|ContextChanges)\b/.test(members));
  assert.ok(withOptions.length >= 40, `${withOptions.length} functions`);
  assert.deepEqual(
    withOptions.filter(([name]) => !ROWS.some((row) => row.name === name)),
    [],
  );
});

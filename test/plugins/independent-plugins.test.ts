/** Tests that one plugin can be part of several applications, and of several mounts in one application. */
import assert from 'node:assert/strict';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { Instrument } from '../../src/extending.ts';
import {
  application,
  mounted,
  ok,
  operation,
  operations,
  type Plugin,
  type RunnableApplication,
} from '../../src/index.ts';
import { verification } from '../../src/operations/verification.ts';
import { RepresentedCollection } from '../../src/plugins/collection/collection.ts';
import { description } from '../../src/plugins/description/description.ts';
import { staticSite } from '../../src/plugins/files/files.ts';
import { swaggerPage } from '../../src/plugins/swagger-page/swagger-page.ts';
import { type TodoSchema, todo, todoSchema } from '../../src/plugins/todo/todo.ts';
import { trace } from '../../src/plugins/trace/trace.ts';
import { authentication, bearerTokens } from '../../src/shelf/authentication/authentication.ts';
import { compression } from '../../src/shelf/compression/compression.ts';
import { cors } from '../../src/shelf/cors/cors.ts';
import { health } from '../../src/shelf/health/health.ts';
import { accessLog } from '../../src/shelf/logs/access-log.ts';
import { traceContext } from '../../src/shelf/logs/trace-context.ts';
import { allowedMethods, headForGet } from '../../src/shelf/methods/methods.ts';
import { metrics } from '../../src/shelf/metrics/metrics.ts';
import { rateLimit } from '../../src/shelf/rate-limit/rate-limit.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

/** A place where the plugin is: a mount in an application, or an application without a mount. */
interface Place {
  /** Unique in a test. */
  readonly id: string;
  readonly app: RunnableApplication;
  /** `/east` for a mount; otherwise empty. */
  readonly prefix: string;
  /** The path of the operation at this place, below the prefix. */
  readonly path: string;
  /** Paths of the operations of the whole application. */
  readonly all: readonly string[];
  /** True if the application trusts its proxy. */
  readonly trusts: boolean;
}

/** The requests of a test. */
class Asked {
  readonly #counts = new Map<Place, number>();
  /** The number of all requests to operations. */
  total = 0;

  /** Sends a request to a path below the prefix of the place. The first target is the operation. */
  async send(
    { app, prefix }: Place,
    path: string,
    init: RequestInit & { readonly json?: unknown } = {},
  ): Promise<Response> {
    return app.request(prefix + path, { ...init, headers: { Host: 'localhost', ...(init.headers as object) } });
  }

  async operation(place: Place, init: RequestInit = {}, query = ''): Promise<Response> {
    this.#counts.set(place, this.at(place) + 1);
    this.total += 1;
    return this.send(place, `/${place.path}${query}`, init);
  }

  /** The number of requests to the operation of this place. */
  at(place: Place): number {
    return this.#counts.get(place) ?? 0;
  }
}

interface Row {
  readonly plugin: () => Plugin;
  /** Resolves to what a client sees of the plugin at a place. Called several times for each place. */
  readonly seen: (place: Place, asked: Asked) => Promise<unknown>;
  /** What the client must see. */
  readonly expected: (place: Place, asked: Asked) => unknown;
  /** The error for a plugin that cannot be mounted. */
  readonly mountFails?: RegExp;
  /** Further members of the operations. */
  readonly declared?: object;
}

/** A store that can be read only while it is open. */
class Door extends RepresentedCollection<TodoSchema> {
  #isOpen = false;
  constructor() {
    super(todoSchema('base'), 'camelCase');
  }
  open(): void {
    this.#isOpen = true;
  }
  close(): void {
    this.#isOpen = false;
  }
  override list(): ReturnType<RepresentedCollection<TodoSchema>['list']> {
    if (!this.#isOpen) throw new Error('The store is closed');
    return super.list();
  }
}

const tokens = bearerTokens({ 'a-long-text': { identity: 'Ada' } });
const BEARER = { headers: { Authorization: 'Bearer a-long-text' } };
const folder = temporaryFolder({ 'a.txt': 'a file', log: '' });
const log = join(folder, 'log');
const linesWith = (id: string): number => readFileSync(log, 'utf8').split(`"${id}"`).length - 1;
let ids = 0;
const ABSENT = { type: 'string', description: 'A header that the operation does not send', always: true };

const ROWS: Readonly<Record<string, Row>> = {
  accessLog: {
    plugin: () => accessLog({ descriptor: openSync(log, 'a') }),
    async seen(place, asked) {
      const id = `request-${(ids += 1)}`;
      await asked.operation(place, { headers: { 'X-Request-Id': id } });
      await until(() => linesWith(id) > 0, 'the line is written');
      return linesWith(id);
    },
    expected: () => 1,
  },
  allowedMethods: {
    plugin: allowedMethods,
    async seen(place, asked) {
      const { status, headers } = await asked.operation(place, { method: 'DELETE' });
      return [status, headers.get('Allow')];
    },
    expected: () => [405, 'GET, HEAD, OPTIONS'],
  },
  authentication: {
    plugin: () => authentication(tokens),
    declared: { security: [tokens] },
    seen: async (place, asked) => [
      (await asked.operation(place)).status,
      (await asked.operation(place, BEARER)).status,
    ],
    expected: () => [401, 200],
  },
  compression: {
    plugin: compression,
    async seen(place, asked) {
      const { headers } = await asked.operation(place, { headers: { 'Accept-Encoding': 'gzip' } });
      return headers.get('Content-Encoding');
    },
    expected: () => 'gzip',
  },
  cors: {
    plugin: () => cors({ origins: ['https://app.example'] }),
    async seen(place, asked) {
      const { headers } = await asked.operation(place, { headers: { Origin: 'https://app.example' } });
      return headers.get('Access-Control-Allow-Origin');
    },
    expected: () => 'https://app.example',
  },
  description: {
    plugin: () => description({ title: 'Things' }),
    async seen(place, asked) {
      const swagger: any = await (await asked.send(place, '/swagger/v1/swagger.json')).json();
      const openApi = await asked.send(place, '/swagger/v1/openapi.json');
      const { paths } = (await openApi.json()) as any;
      return [Object.keys(swagger.paths), Object.keys(paths), openApi.headers.get('Vary')];
    },
    expected({ all, trusts, prefix, path }) {
      const described = prefix === '' ? all : [`/${path}`];
      return [described, described, trusts ? 'X-Forwarded-Prefix' : null];
    },
  },
  headForGet: {
    plugin: headForGet,
    seen: async (place, asked) => (await asked.operation(place, { method: 'HEAD' })).status,
    expected: () => 200,
  },
  health: {
    plugin: () => health({ ready: () => true }),
    seen: async (place, asked) => (await asked.send(place, '/ready')).status,
    expected: () => 200,
  },
  metrics: {
    plugin: metrics,
    async seen(place, asked) {
      await asked.operation(place);
      const body = await (await asked.send(place, '/metrics')).text();
      const counts = [...body.matchAll(/^http_requests_total\{.*route="([^"]*)".*\} (\d+)$/gm)];
      const measured = body.includes('nodejs_eventloop_lag_seconds');
      return [...counts.map(([, route, count]) => `${route} ${count}`), measured];
    },
    expected: (place, asked) => [`${place.prefix}/${place.path} ${asked.at(place)}`, true],
  },
  operations: {
    plugin: () => operations({ strictQuery: true }),
    seen: async (place, asked) => (await asked.operation(place, {}, '?unknown=1')).status,
    expected: () => 400,
    mountFails: /it sets the options of all operations; use operations\(…\) once, and directly in application\(\[…\]\)/,
  },
  rateLimit: {
    plugin: () => rateLimit({ limit: 1000, window: 60_000 }),
    async seen(place, asked) {
      const { headers } = await asked.operation(place);
      return /r=(\d+)/.exec(headers.get('RateLimit')!)?.[1];
    },
    // All places share one count.
    expected: (_, asked) => String(1000 - asked.total),
  },
  staticSite: {
    plugin: () => staticSite({ root: folder }),
    seen: async (place, asked) => (await asked.send(place, '/a.txt')).text(),
    expected: () => 'a file',
  },
  swaggerPage: {
    plugin: swaggerPage,
    async seen(place, asked) {
      const { status, headers } = await asked.send(place, '/swagger/ui', { headers: { 'X-Forwarded-Proto': 'https' } });
      return [status, headers.get('Cross-Origin-Opener-Policy')];
    },
    expected: ({ trusts }) => [200, trusts ? 'same-origin' : null],
  },
  todo: {
    plugin: () => todo({ store: new Door() }),
    async seen(place, asked) {
      const posted = await asked.send(place, '/api/todo', { method: 'POST', json: { name: place.id } });
      const { key } = (await posted.json()) as { readonly key: string };
      const items = (await (await asked.send(place, '/api/todo')).json()) as { readonly key: string }[];
      const isAt = posted.headers.get('Location') === `${place.prefix}/api/todo/${key}`;
      return [isAt, items.some((item) => item.key === key)];
    },
    expected: () => [true, true],
  },
  trace: {
    plugin: trace,
    async seen(place, asked) {
      await asked.operation(place, {}, `?${place.id}`);
      for (;;) {
        const list = (await (await asked.send(place, '/trace/requests')).json()) as { readonly target: string }[];
        const { stages } = (await (await asked.send(place, '/trace/pipeline')).json()) as {
          stages: readonly unknown[];
        };
        if (list.length >= asked.at(place)) return [list.map(({ target }) => target), stages.length];
        await turnOfLoop();
      }
    },
    expected: (place, asked) => [Array<string>(asked.at(place)).fill(`/${place.path}?${place.id}`), 3],
    mountFails: /^Cannot mount the plugin "east\/trace": its instrument wraps the whole application/,
  },
  traceContext: {
    plugin: traceContext,
    async seen(place, asked) {
      const { traceId } = (await (await asked.send(place, '/nothing')).json()) as { readonly traceId: string };
      return /^[\da-f]{32}$/.test(traceId);
    },
    expected: () => true,
  },
  verification: {
    plugin: verification,
    declared: { responses: { 200: { schema: { type: 'string' }, headers: { 'X-Absent': ABSENT } } } },
    seen: async (place, asked) => (await asked.operation(place)).status,
    expected: () => 500,
    mountFails: /^Cannot mount the plugin "east\/verification": its instrument wraps the whole application/,
  },
};

/** A plugin with one operation, which answers with a long text. */
const things = (path: string, declared: object = {}): Plugin => ({
  name: path,
  routes: [
    operation({
      method: 'GET',
      path,
      responses: { 200: { schema: { type: 'string' } } },
      ...declared,
      handle: () => ok('things '.repeat(500)),
    }),
  ],
});

const place = (id: string, app: RunnableApplication, members: Partial<Place>): Place => {
  const { prefix = '', path = 'things', trusts = false } = members;
  const all = [...app.routes]
    .map(({ template }) => `/${template.text}`)
    .filter((text) => /(?:things|items)$/.test(text));
  return { id, app, prefix, path, all, trusts };
};
const options = { log: () => {}, warn: () => {} };

/** The ways to use one plugin twice. */
const WAYS: Readonly<Record<string, (plugin: Plugin, declared?: object) => readonly Place[]>> = {
  'mounted at two prefixes': (plugin, declared) => {
    const api = [mounted('east', things('things', declared)), mounted('west', things('items', declared))];
    const app = application([mounted('east', plugin), mounted('west', plugin), ...api], options);
    return [
      place('first', app, { prefix: '/east', path: 'things' }),
      place('second', app, { prefix: '/west', path: 'items' }),
    ];
  },
  'composed in two applications': (plugin, declared) => {
    const first = application([plugin, things('things', declared)], { ...options, trustedProxies: ['loopback'] });
    const second = application([plugin, things('items', declared)], options);
    return [place('first', first, { trusts: true }), place('second', second, { path: 'items' })];
  },
  'composed again with an instrument': (plugin, declared) => {
    const first = application([plugin, things('things', declared)], options);
    const instrument: Instrument = { route: (route) => ({ ...route }) };
    const second = application([{ name: 'watching', instrument }, ...first.plugins], first.options);
    const third = application(first.plugins, { ...first.options, instrument });
    return [place('first', first, {}), place('second', second, {}), place('third', third, {})];
  },
};

for (const [name, { plugin, seen, expected, mountFails, declared }] of Object.entries(ROWS))
  for (const [way, placesOf] of Object.entries(WAYS))
    test(`plugins – ${name}, ${way} → ${mountFails && way.startsWith('mounted') ? 'refused' : 'works at each place'}`, async () => {
      if (mountFails !== undefined && way.startsWith('mounted')) {
        assert.throws(() => placesOf(plugin(), declared), { name: 'PluginError', message: mountFails });
        return;
      }
      const places = placesOf(plugin(), declared);
      const asked = new Asked();
      const check = async (at: Place): Promise<void> =>
        assert.deepEqual(await seen(at, asked), expected(at, asked), at.id);
      const apps = [...new Set(places.map(({ app }) => app))];
      for (const app of apps) await app.start();
      for (const at of [...places, ...places]) await check(at);
      // An application that stops does not stop the parts of the others.
      for (const [stopped, app] of apps.entries()) {
        await app.stop();
        for (const at of places) if (apps.indexOf(at.app) > stopped) await check(at);
      }
    });

test('plugins – the public functions that return a plugin → each has a row above', () => {
  const surface = readFileSync(new URL('../surface/public-surface.txt', import.meta.url), 'utf8');
  const kinds = ['Plugin', ...Array.from(surface.matchAll(/^interface (\w+) extends Plugin\b/gm), ([, kind]) => kind!)];
  const returns = new RegExp(`^(?:const|function) (\\w+)\\b.*(?:\\): |=> )(?:${kinds.join('|')})\\b`, 'gm');
  const named = new Set(Array.from(surface.matchAll(returns), ([, name]) => name!));
  named.delete('mounted');
  assert.ok(named.size >= 15, [...named].join());
  assert.deepEqual(
    [...named].filter((name) => !(name in ROWS)),
    [],
  );
});

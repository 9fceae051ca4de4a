/**
 * An option that a function does not have is refused with the names of those that it has. Passing `undefined` for an
 * option is the same as omitting it. `undefined-members.test.ts` tests the members of declarations.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { textOf } from '../house/source-files.ts';
import * as library from '../support/library.ts';

/** The library without its types, as JavaScript sees it. */
const free = library as unknown as Record<string, (...values: readonly unknown[]) => any>;
const FOLDER = new URL('../../static/site/', import.meta.url);
const SCHEMA = library.todoSchema();
const context = library.contextFor('/');
const make = (name: string, ...values: readonly unknown[]) => Reflect.construct(free[name]!, values) as any;
const handler = () => library.text('a');

type Call = (options: object) => unknown;

/** Calls of the functions that refuse unknown options. */
const CALLS: Readonly<Record<string, Call>> = {
  stream: (options) => free['stream']!('a', options),
  redirect: (options) => free['redirect']!('/', undefined, options),
  events: (options) => free['events']!(context, async function* () {}, options),
  file: (options) => free['file']!(context, new URL('index.html', FOLDER), options),
  application: (options) => free['application']!([], options).routes,
  async serve(options) {
    const { service, close } = await free['serve']!(library.application([]), { ...options, port: 0 });
    await close();
    return service.limits;
  },
  HttpService: (options) => make('HttpService', handler, options).limits,
  limits: (limits) => make('HttpService', handler, { limits }).limits,
  listener: (options) => free['listener']!(handler, options),
  operations: (options) => free['operations']!(options),
  compression: (options) => free['compression']!(options),
  cors: (options) => free['cors']!({ ...options, origins: ['https://a.example'] }),
  rateLimit: (options) => free['rateLimit']!({ ...options, limit: 9, window: 9000 }),
  bearerTokens: (options) => free['bearerTokens']!({}, options),
  apiKeys: (options) => free['apiKeys']!({}, options),
  cookie: (options) => free['cookie']!('a', 'b', options),
  html: (options) => free['html']!('', options),
  description: (options) => free['description']!({ ...options, title: 'A' }),
  staticFiles: (options) => free['staticFiles']!({ ...options, root: FOLDER }),
  staticSite: (options) => free['staticSite']!({ ...options, root: FOLDER }),
  accessLog: (options) => free['accessLog']!(options),
  health: (options) => free['health']!({ ...options, ready: () => true }),
  metrics: (options) => free['metrics']!(options),
  requestLog: (options) => free['requestLog']!(options),
  swaggerPage: (options) => free['swaggerPage']!(options),
  todo: (options) => free['todo']!(options).name,
  RedisStore: (options) => make('RedisStore', SCHEMA, { ...options, url: 'redis://localhost' }),
  SqliteStore: (options) => make('SqliteStore', SCHEMA, { ...options, file: 'a.db' }),
  trace: (options) => free['trace']!(options).name,
};

const DOCUMENT = 'version description termsOfService contact license basePath comments';
/** Calls of the other functions, and the names of their options. */
const OTHERS: readonly (readonly [name: string, call: Call, names: string])[] = [
  ['text', (options) => free['text']!('a', options), 'status headers'],
  ['json', (options) => free['json']!(1, options), 'status headers'],
  ['empty', (options) => free['empty']!(options), 'status headers'],
  ['replyWith', (changes) => free['replyWith']!(library.text('a'), changes), 'status headers body'],
  ['answer', (options) => free['answer']!(200, {}, options), 'headers location'],
  [
    'contextWith',
    (changes) => free['contextWith']!(context, changes),
    'method path basePath query headers requestId body',
  ],
  [
    'contextFor',
    (options) => free['contextFor']!('/', options).path,
    'method headers body json basePath remoteAddress stopping signal',
  ],
  ['request', async (init) => (await library.application([]).request('/', init)).status, 'method headers body json'],
  [
    'route',
    (options) => free['route']!({ ...options, path: 'a', handle: handler }),
    'public method stages name defaults constraints dataTokens scope',
  ],
  ['RouteCollection', (options) => make('RouteCollection', options), 'constraints lowercaseUrls appendTrailingSlash'],
  ['describe', (options) => free['describe']!([], { ...options, title: 'A' }), DOCUMENT],
  ['describeOpenApi', (options) => free['describeOpenApi']!([], { ...options, title: 'A' }), DOCUMENT],
  [
    'RepresentedCollection',
    (limits) => make('RepresentedCollection', SCHEMA, 'camelCase', limits),
    'maxItems maxBytes',
  ],
  ['bytes', (options) => free['bytes']!({ ...options, mediaTypes: ['image/png'] }), 'maxBytes'],
  ['byteStream', (options) => free['byteStream']!({ ...options, mediaTypes: ['image/png'] }), 'maxBytes'],
  ['form', (options) => free['form']!({}, options), 'maxBytes'],
  ['ok', (options) => free['ok']!({}, options), 'headers'],
  ['created', (options) => free['created']!({}, 'a', {}, options), 'headers'],
];

/** Shows a value without its undefined members. */
const shown = (value: unknown): string =>
  inspect(value, { depth: 4, compact: true, breakLength: Infinity })
    .replaceAll(/\w+: undefined,?/g, '')
    .replaceAll(/[\s,]+/g, '');

/** Checks that the call ignores these options, and one that no function has, if they are undefined. */
async function assertIgnored(call: Call, names: readonly string[]): Promise<void> {
  const unset = Object.fromEntries([...names, 'unheard'].map((name) => [name, undefined]));
  assert.equal(shown(await call(unset)), shown(await call({})));
}

for (const [name, call] of Object.entries(CALLS))
  test(`surface – ${name} with an unknown option → refused with the known ones, each of which may be undefined`, async () => {
    let names: readonly string[] = [];
    const refused = async () => void (await call({ unheard: 1 }));
    await assert.rejects(refused, (error: Error) => {
      assert.ok(error instanceof TypeError, String(error));
      const list = /^Cannot .* with the option "unheard": it is unknown; use one of (.+)$/.exec(error.message);
      assert.ok(list !== null, error.message);
      names = list[1]!.split(', ');
      return true;
    });
    await assertIgnored(call, names);
  });

for (const [name, call, names] of OTHERS)
  test(`surface – ${name} with every option undefined → acts as without options`, () =>
    assertIgnored(call, names.split(' ')));

test('surface – every function with options → has a row here', () => {
  const surface = textOf('test/surface/public-surface.txt').replaceAll(/ErrorOptions|^function assertOptions.*/gm, '');
  const calls = surface.matchAll(
    /^(?:(?:function|const)|class (\w+)(?:(?!^\}$)[^])*?\n    constructor)( \w+)?([^\n]*)/gm,
  );
  const named = Array.from(calls, ([, ofClass, name = '', members]) => [ofClass ?? name.trim(), members!] as const);
  const withOptions = named.filter(([, members]) => /\b(?:\w*Options|CollectionLimits|ContextChanges)\b/.test(members));
  assert.ok(withOptions.length >= 40, `${withOptions.length} functions`);
  const rows = [...Object.keys(CALLS), ...OTHERS.map(([name]) => name)];
  assert.deepEqual(
    withOptions.filter(([name]) => !rows.includes(name)),
    [],
  );
});

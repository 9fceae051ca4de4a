/** Unknown options, which a JavaScript program may pass, are rejected with the name that was probably meant. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServeOptions } from '../../../src/core/application/serve.ts';
import type { Controller } from '../../../src/operations/operation/controller.ts';
import { authenticators } from '../../../src/operations/operations.ts';
import { routesOf } from '../../../src/operations/routes/operation-routes.ts';
import * as library from '../../support/library.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testContext } from '../../support/test-context.ts';

/** The library without its types, as JavaScript sees it. */
const free = library as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
const folder = temporaryFolder({ 'a.txt': 'a' });
const composed = library.application([]);
const make = (name: string, args: readonly unknown[]) =>
  name === 'HttpService' ? Reflect.construct(free[name]!, args) : free[name]!(...args);

/** The call as text, the message that it throws, and the function and arguments of the call. */
const ROWS: readonly (readonly [written: string, says: RegExp, name: string, ...args: readonly unknown[]])[] = [
  [
    'file(context, name, { folder })',
    /^Cannot answer with a file with the option "folder": it is unknown; use one of root, mediaType, /,
    'file',
    testContext('/'),
    'a.txt',
    { folder },
  ],
  ['file(context, name, { rot })', /did you mean "root"\?/, 'file', testContext('/'), 'a.txt', { rot: folder }],
  ['events(…, { keepalive })', /did you mean "keepAlive"\?/, 'events', testContext('/'), [], { keepalive: 1 }],
  ['stream(…, { type })', /"type": it is unknown; .*mediaType/, 'stream', 'a', { type: 'text/csv' }],
  ['redirect(…, 303, { header })', /did you mean "headers"\?/, 'redirect', '/', 303, { header: {} }],
  ["text('x', 404)", /^Cannot make a reply with the options "404": give .*status: 404/, 'text', 'x', 404],
  ["json({}, '404')", /^Cannot make a reply with the options "404": give an object/, 'json', {}, '404'],
  ['empty(204)', /^Cannot make a reply with the options "204": give an object/, 'empty', 204],
  ['apiKeys({}, { header })', /"header": it is unknown; .*parameter/, 'apiKeys', {}, { header: 'X' }],
  ['bearerTokens({}, { relm })', /did you mean "realm"\?/, 'bearerTokens', {}, { relm: 'X' }],
  ['accessLog({ file })', /^Cannot log requests with the option "file"/, 'accessLog', { file: 'a.log' }],
  ['accessLog(2)', /^Cannot log requests with a number as its options: give an object/, 'accessLog', 2],
  ['cors({ origin })', /did you mean "origins"\?/, 'cors', { origin: 'https://a.example' }],
  ['cors()', /^Cannot allow origins with nothing as its options/, 'cors'],
  ["cors({ origins: 'https://…' })", /give \{ origins: \['https/, 'cors', { origins: 'https://a.example' }],
  ["cors({ origins: ['*'] })", /"\*": .*list the origins of your pages/, 'cors', { origins: ['*'] }],
  [
    'cors with a slash at the end',
    /"https:\/\/a\.example\/": no browser sends it; give "https:\/\/a\.example"$/,
    'cors',
    { origins: ['https://a.example/'] },
  ],
  ['cors with the default port', /"https:\/\/a\.example"$/, 'cors', { origins: ['https://a.example:443'] }],
  ['cors with a host alone', /give an origin such as https:\/\/app\.example/, 'cors', { origins: ['a.example'] }],
  ["staticSite('public')", /^Cannot serve static files with a string as its options/, 'staticSite', 'public'],
  ['staticFiles({ folder })', /with the option "folder": .*use one of root/, 'staticFiles', { folder }],
  ['swaggerPage({ paths })', /did you mean "path"\?/, 'swaggerPage', { paths: 'ui' }],
  ['description({})', /the title is not a string; give \{ title: '…' \}/, 'description', {}],
  ['description({ tilte })', /did you mean "title"\?/, 'description', { tilte: 'A' }],
  ['health({})', /"ready" is not a function; give \{ ready: \(\) => service\.ready \}/, 'health', {}],
  ['health({ raedy })', /did you mean "ready"\?/, 'health', { raedy: () => true }],
  ['metrics({ stage })', /did you mean "stages"\?/, 'metrics', { stage: [] }],
  ['todo({ stores })', /did you mean "store"\?/, 'todo', { stores: {} }],
  ['serve(app, { prot })', /^Cannot serve with the option "prot": .*"port"\?/, 'serve', composed, { prot: 0 }],
  ['serve(app, 0)', /^Cannot serve with a number as its options/, 'serve', composed, 0],
  [
    'serve(handler)',
    /a value that is not an application: write serve\(application\(\[…\]\)\)/,
    'serve',
    () => undefined,
  ],
  ['serve(plugin)', /a value that is not an application/, 'serve', { name: 'a' }],
  ['serve with a signal', /the signals "SIGTERM": give a list/, 'serve', composed, { signals: 'SIGTERM' }],
  ['serve with no signal', /the signals "SIGTREM"/, 'serve', composed, { signals: ['SIGTREM'] }],
  ['serve with a text as grace', /shutdownGrace "8s": give milli/, 'serve', composed, { shutdownGrace: '8s' }],
  [
    'serve with a delay that no timer has',
    /drainDelay "2147483648": give milliseconds, 0 to 2147483647/,
    'serve',
    composed,
    { drainDelay: 2 ** 31 },
  ],
  ['serve with { maxBdy }', /"maxBdy": .*did you mean "maxBody"\?/, 'serve', composed, { limits: { maxBdy: 1 } }],
  [
    'new HttpService(app, { port })',
    /^Cannot serve with the option "port": it is unknown; use one of limits, /,
    'HttpService',
    composed,
    { port: 1 },
  ],
  ['listener(app, { tls })', /^Cannot serve with the option "tls"/, 'listener', composed, { tls: {} }],
  ['listener([todo()])', /^Cannot serve a list: pass application\(\[…\]\)/, 'listener', [library.todo()]],
  [
    'application([], { plugins })',
    /^Cannot compose an application with the option "plugins": it is unknown; use one of basePath, /,
    'application',
    [],
    { plugins: [] },
  ],
  ...['naming', 'security', 'strictQuery', 'problems'].map(
    (name) =>
      [
        `application([], { ${name} })`,
        new RegExp(
          `with the option "${name}": it belongs to a plugin; add operations\\(\\{ ${name} \\}\\) to the list$`,
        ),
        'application',
        [],
        { [name]: [] },
      ] as const,
  ),
  [
    'application([], { authenticators })',
    /with the option "authenticators": it belongs to a plugin; add a plugin that offers them to the list$/,
    'application',
    [],
    { authenticators: [] },
  ],
  ['application([], { basepath })', /did you mean "basePath"\?/, 'application', [], { basepath: '/a' }],
];
for (const [written, says, name, ...args] of ROWS)
  test(`options – ${written} throws a TypeError with a remedy`, async () => {
    await assert.rejects(async () => void (await make(name, args)), { name: 'TypeError', message: says });
  });

for (const [written, , name, ...args] of ROWS.filter(([, , name]) => name !== 'serve')) {
  const last = args.at(-1);
  if (typeof last !== 'object' || Array.isArray(last)) continue;
  const absent = Object.fromEntries(Object.keys(last as object).map((option) => [option, undefined]));
  test(`options – ${written} ignores a member that is undefined`, async () => {
    const outcome = async (options: object): Promise<unknown> => {
      try {
        await make(name, [...args.slice(0, -1), options]);
        return 'allowed';
      } catch (error) {
        return String(error);
      }
    };
    assert.equal(await outcome(absent), await outcome({}));
  });
}

const ABSENT = {
  log: undefined,
  basePath: undefined,
  limits: { maxBdy: undefined },
  signals: undefined,
  prot: undefined,
};
const typed = <Type>(declared: object): Type => declared as Type;
const DECLARED: readonly (readonly [what: string, declare: () => unknown])[] = [
  ['contextWith', () => library.contextWith(testContext('/'), typed({ url: undefined }))],
  ['route', () => free['route']!({ path: 'a', handle: () => library.text('a'), methods: undefined })],
  ['a plugin', () => library.application([typed({ name: 'a', stage: undefined })])],
  [
    'a controller, an operation, a response, a requirement and a form',
    () => {
      const security = [{ ...library.securityScheme('a', { type: 'http', scheme: 'basic' }), role: undefined }];
      const body = free['form']!({ a: { type: 'file', maxByte: undefined } }, { maxByte: undefined });
      const responses = { 204: { text: undefined } };
      const declared = {
        method: 'POST',
        path: '',
        responses,
        security,
        body,
        handle: () => library.empty(),
        path2: undefined,
      };
      const controller = typed<Controller>({ name: 'A', path: 'a', operations: [declared], stage: undefined });
      library.application([
        {
          name: 'a',
          routes: routesOf(controller),
          offers: [
            authenticators.of([{ scheme: security[0]!, challenge: () => '', authenticate: () => ({ found: 'none' }) }]),
          ],
        },
      ]);
    },
  ],
];
for (const [what, declare] of DECLARED)
  test(`options – ${what} may have unknown members that are undefined`, () => assert.doesNotThrow(declare));

test('options – serve ignores options that are undefined, also those of the application', async () => {
  const { close } = await library.serve(composed, { ...ABSENT, port: 0 } as ServeOptions);
  await close();
});

test('options – serve does not start the application if an option is wrong', async () => {
  let started = 0;
  const counting = library.application([{ name: 'counting', start: () => void started++ }]);
  await assert.rejects(library.serve(counting, { port: 0, signals: ['SIGNAL'] as unknown as ['SIGTERM'] }), TypeError);
  assert.equal(started, 0);
});

test('options – every option accepts its default value', () => {
  library.cors({ origins: ['https://a.example:8443', 'http://[::1]:3000', 'capacitor://localhost'] });
  library.accessLog({ descriptor: 2, members: () => ({}) });
  library.metrics({ more: undefined, stages: [] });
  library.stream('a', { mediaType: 'text/csv', status: 200, headers: {} });
  library.swaggerPage({ path: 'ui', document: 'd', folder, vendored: folder, secure: () => true, warn: () => {} });
});

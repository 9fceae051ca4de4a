/** Options that mean nothing, as a program in JavaScript may give them: refused, with what was probably meant. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as library from '../../support/library.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testContext } from '../../support/test-context.ts';

type Loose = (...args: readonly unknown[]) => unknown;

/** Without its types, as JavaScript sees it. */
const { application, ...free } = library as unknown as Record<string, Loose>;
const folder = temporaryFolder({ 'a.txt': 'a' });
const composed = library.application([]);
const make = (name: string, ...args: readonly unknown[]) => free[name]!(...args);

const ROWS: readonly (readonly [written: string, call: () => unknown, says: RegExp])[] = [
  [
    'file(context, name, { folder })',
    () => make('file', testContext('/'), 'a.txt', { folder }),
    /^Cannot answer with a file with the option "folder": it means nothing; use one of root, mediaType, /,
  ],
  [
    'file(context, name, { rot })',
    () => make('file', testContext('/'), 'a.txt', { rot: folder }),
    /did you mean "root"\?/,
  ],
  [
    'events(…, { keepalive })',
    () => make('events', testContext('/'), [], { keepalive: 1 }),
    /did you mean "keepAlive"\?/,
  ],
  ['stream(…, { type })', () => make('stream', 'a', { type: 'text/csv' }), /"type": it means nothing; .*mediaType/],
  ['redirect(…, 303, { header })', () => make('redirect', '/', 303, { header: {} }), /did you mean "headers"\?/],
  ["text('x', 404)", () => make('text', 'x', 404), /^Cannot make a reply with the options "404": give .*status: 404/],
  ["json({}, '404')", () => make('json', {}, '404'), /^Cannot make a reply with the options "404": give an object/],
  ['empty(204)', () => make('empty', 204), /^Cannot make a reply with the options "204": give an object/],
  ['apiKeys({}, { header })', () => make('apiKeys', {}, { header: 'X' }), /"header": it means nothing; .*parameter/],
  ['bearerTokens({}, { relm })', () => make('bearerTokens', {}, { relm: 'X' }), /did you mean "realm"\?/],
  ['accessLog({ file })', () => make('accessLog', { file: 'a.log' }), /^Cannot log requests with the option "file"/],
  ['accessLog(2)', () => make('accessLog', 2), /^Cannot log requests with a number as its options: give an object/],
  ['cors({ origin })', () => make('cors', { origin: 'https://a.example' }), /did you mean "origins"\?/],
  ['cors()', () => make('cors'), /^Cannot allow origins with nothing as its options/],
  ["cors({ origins: 'https://…' })", () => make('cors', { origins: 'https://a.example' }), /give \{ origins: \['https/],
  ["cors({ origins: ['*'] })", () => make('cors', { origins: ['*'] }), /"\*": .*list the origins of your pages/],
  [
    'cors with a slash at the end',
    () => make('cors', { origins: ['https://a.example/'] }),
    /"https:\/\/a\.example\/": browsers send none like it; give "https:\/\/a\.example"$/,
  ],
  ['cors with the default port', () => make('cors', { origins: ['https://a.example:443'] }), /"https:\/\/a\.example"$/],
  ['cors with a host alone', () => make('cors', { origins: ['a.example'] }), /give one such as https:\/\/app\.example/],
  [
    "staticSite('public')",
    () => make('staticSite', 'public'),
    /^Cannot serve static files with a string as its options/,
  ],
  ['staticFiles({ folder })', () => make('staticFiles', { folder }), /with the option "folder": .*use one of root/],
  ['swaggerPage({ paths })', () => make('swaggerPage', { paths: 'ui' }), /did you mean "path"\?/],
  ['description({})', () => make('description', {}), /there is no title, a text; give \{ title: '…' \}/],
  ['description({ tilte })', () => make('description', { tilte: 'A' }), /did you mean "title"\?/],
  ['health({})', () => make('health', {}), /"ready" is no function; give \{ ready: \(\) => service\.ready \}/],
  ['health({ raedy })', () => make('health', { raedy: () => true }), /did you mean "ready"\?/],
  ['metrics({ bucket })', () => make('metrics', { bucket: [] }), /did you mean "buckets"\?/],
  ['todo({ stores })', () => make('todo', { stores: {} }), /did you mean "store"\?/],
  [
    'serve(app, { prot })',
    () => make('serve', composed, { prot: 0 }),
    /^Cannot serve with the option "prot": .*"port"\?/,
  ],
  ['serve(app, 0)', () => make('serve', composed, 0), /^Cannot serve with a number as its options/],
  [
    'serve(handler)',
    () => make('serve', () => undefined),
    /what is no application: write serve\(application\(\[…\]\)\)/,
  ],
  ['serve(plugin)', () => make('serve', { name: 'a' }), /what is no application/],
  ['serve with a signal', () => make('serve', composed, { signals: 'SIGTERM' }), /the signals "SIGTERM": give a list/],
  ['serve with no signal', () => make('serve', composed, { signals: ['SIGTREM'] }), /the signals "SIGTREM"/],
  [
    'serve with a text as grace',
    () => make('serve', composed, { shutdownGrace: '8s' }),
    /shutdownGrace "8s": give milli/,
  ],
  [
    'serve with a delay that no timer has',
    () => make('serve', composed, { drainDelay: 2 ** 31 }),
    /drainDelay "2147483648": give milliseconds, 0 to 2147483647/,
  ],
  [
    'serve with tls: {}',
    () => make('serve', composed, { tls: {} }),
    /^Cannot serve over TLS without a certificate: give/,
  ],
  [
    'serve with tls: true',
    () => make('serve', composed, { tls: true }),
    /over TLS with a boolean as its options: give/,
  ],
  ['serve with tls: { cert }', () => make('serve', composed, { tls: { cert: '-----BEGIN ' } }), /TLS without a key/],
  [
    'serve with the path of a certificate',
    () => make('serve', composed, { tls: { cert: 'cert.pem', key: 'key.pem' } }),
    /with this "cert": it is not the text of a PEM file.*give readFileSync\('cert\.pem'\)/,
  ],
  [
    'serve with { maxBdy }',
    () => make('serve', composed, { limits: { maxBdy: 1 } }),
    /"maxBdy": .*did you mean "maxBody"\?/,
  ],
  [
    'new HttpService(app, { port })',
    () => new library.HttpService(composed, { port: 1 } as library.ServiceOptions),
    /^Cannot serve with the option "port": it means nothing; use one of limits, /,
  ],
  ['listener(app, { tls })', () => make('listener', composed, { tls: {} }), /^Cannot serve with the option "tls"/],
  ['listener([todo()])', () => make('listener', [library.todo()]), /^Cannot serve a list: give application\(\[…\]\)/],
  [
    'application([], { plugins })',
    () => application!([], { plugins: [] }),
    /^Cannot compose an application with the option "plugins": it means nothing; use one of naming, /,
  ],
  ['application([], { basepath })', () => application!([], { basepath: '/a' }), /did you mean "basePath"\?/],
];
for (const [written, call, says] of ROWS) {
  test(`options – ${written} → refused, with what to give`, async () => {
    await assert.rejects(async () => void (await call()), { name: 'TypeError', message: says });
  });
}

test('options – a refused option of serve → nothing was started', async () => {
  let started = 0;
  const counting = library.application([{ name: 'counting', start: () => void started++ }]);
  await assert.rejects(library.serve(counting, { port: 0, signals: ['SIGNAL'] as unknown as ['SIGTERM'] }), TypeError);
  assert.equal(started, 0);
});

test('options – every option at its default, given → allowed', () => {
  library.cors({ origins: ['https://a.example:8443', 'http://[::1]:3000', 'capacitor://localhost'] });
  library.accessLog({ descriptor: 2, bound: 10, remoteAddress: () => undefined, now: Date.now });
  library.metrics({ maxSeries: 1000, buckets: undefined, stages: [] });
  library.stream('a', { mediaType: 'text/csv', status: 200, headers: {} });
  library.swaggerPage({ path: 'ui', document: 'd', folder, vendored: folder, secure: () => true, warn: () => {} });
});

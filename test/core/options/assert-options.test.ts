/**
 * Wrong options, which a JavaScript program may pass, are refused with the remedy. `surface/unset-options.test.ts` tests
 * an unknown option of each function.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as library from '../../support/library.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testContext } from '../../support/test-context.ts';

/** The library without its types, as JavaScript sees it. */
const free = library as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
const folder = temporaryFolder({ 'a.txt': 'a' });
const composed = library.application([]);

/** The call as text, the message that it throws, and the function and arguments of the call. */
for (const [written, says, name, ...args] of [
  ['file(context, name, { rot })', /did you mean "root"\?/, 'file', testContext('/'), 'a.txt', { rot: folder }],
  ["text('x', 404)", /^Cannot make a reply with the options "404": give .*status: 404/, 'text', 'x', 404],
  ["json({}, '404')", /^Cannot make a reply with the options "404": give an object/, 'json', {}, '404'],
  ['empty(204)', /^Cannot make a reply with the options "204": give an object/, 'empty', 204],
  ['accessLog(2)', /^Cannot log requests with a number as its options: give an object/, 'accessLog', 2],
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
  ['description({})', /the title is not a string; give \{ title: '…' \}/, 'description', {}],
  ['health({})', /"ready" is not a function; give \{ ready: \(\) => service\.ready \}/, 'health', {}],
  ['serve(app, 0)', /^Cannot serve with a number as its options/, 'serve', composed, 0],
  [
    'serve(handler)',
    /a value that is not an application: write serve\(application\(\[…\]\)\)/,
    'serve',
    () => undefined,
  ],
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
  ['listener([todo()])', /^Cannot serve a list: pass application\(\[…\]\)/, 'listener', [library.todo()]],
] as const)
  test(`options – ${written} throws a TypeError with a remedy`, async () => {
    await assert.rejects(async () => void (await free[name]!(...args)), { name: 'TypeError', message: says });
  });

test('options – serve does not start the application if an option is wrong', async () => {
  let started = 0;
  const counting = library.application([{ name: 'counting', start: () => void started++ }]);
  await assert.rejects(library.serve(counting, { port: 0, signals: ['SIGNAL'] as unknown as ['SIGTERM'] }), TypeError);
  assert.equal(started, 0);
});

test('options – cors accepts origins with a port, with an IPv6 address and of an app', () => {
  library.cors({ origins: ['https://a.example:8443', 'http://[::1]:3000', 'capacitor://localhost'] });
});

/** Tests that no recording shows a secret, wherever a request or a handler puts it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { securityScheme } from '../../../src/operations/security.ts';
import { addKeysOf, HIDDEN, Secrets, secretNames } from '../../../src/plugins/trace/secrets.ts';

const names = secretNames();
for (const [place, name] of [
  ['header', 'X-Key'],
  ['query', 'key'],
] as const)
  addKeysOf({ security: [securityScheme(name, { type: 'apiKey', in: place, name })] }, names);

const BASIC = Buffer.from('ada:open sesame').toString('base64');
const SENT = {
  Host: 'localhost',
  authorization: `Basic ${BASIC}`,
  COOKIE: 'theme=dark; session=abcdef',
  'x-KEY': 'k3y/of"ada',
  'Proxy-Authorization': 'Bearer proxied',
  'X-Other': 'shown',
};
const secrets = new Secrets(names, Object.entries(SENT).flat(), '/api?KEY=query%20key&page=2');

const HEADERS: readonly (readonly [name: string, value: string, shown: string])[] = [
  ['Authorization', 'any', HIDDEN],
  ['proxy-authorization', 'any', HIDDEN],
  ['cookie', 'a=b', HIDDEN],
  ['Set-Cookie', 'session=new; Secure', HIDDEN],
  ['X-KEY', 'short', HIDDEN],
  ['X-Other', 'shown', 'shown'],
];
for (const [name, value, shown] of HEADERS) {
  test(`trace – the header ${name}: ${value} → ${shown}`, () => assert.equal(secrets.header(name, value), shown));
}

const TEXTS: readonly (readonly [text: string, shown: string])[] = [
  ['nothing here', 'nothing here'],
  ['/login?back=proxied', `/login?back=${HIDDEN}`],
  [`you sent Basic ${BASIC}`, `you sent ${HIDDEN}`],
  [`you sent ${BASIC}`, `you sent ${HIDDEN}`],
  ['ada:open sesame', HIDDEN],
  ['the password is open sesame', `the password is ${HIDDEN}`],
  ['/x?p=open%20sesame', `/x?p=${HIDDEN}`],
  ['session abcdef', `session ${HIDDEN}`],
  ['{"key":"k3y/of\\"ada"}', `{"key":"${HIDDEN}"}`],
  ['proxied proxied', `${HIDDEN} ${HIDDEN}`],
  ['a query key', `a ${HIDDEN}`],
];
/** Secrets in another spelling: the header, a text, and the shown text. */
const SPELLED: readonly (readonly [name: string, value: string, text: string, shown: string])[] = [
  ['Cookie', 'sid=s%3Aabc.def%2Bghi', 'it is s:abc.def+ghi', `it is ${HIDDEN}`],
  ['Cookie', 'sid="abc secret def"', 'it is abc secret def', `it is ${HIDDEN}`],
  ['Cookie', 'a = cookiesp ; b=1', 'cookiesp', HIDDEN],
  ['Cookie', 'a=abcdef; b=defghi', 'abcdefghi', HIDDEN],
  ['Set-Cookie', 'sid=NEWSESSION; Path=/', '{"session":"NEWSESSION"}', `{"session":"${HIDDEN}"}`],
  ['Authorization', 'Bearer\ttoken-behind-tab', 'token-behind-tab', HIDDEN],
  ['Authorization', 'Bearer ab&cd', '<p>ab&amp;cd</p>', `<p>${HIDDEN}</p>`],
  ['Authorization', 'Digest username="ada", response="deadbeef"', 'deadbeef', HIDDEN],
  ['Authorization', `Basic ${Buffer.from('ada:p@ss word!').toString('base64')}`, 'p%40ss+word%21', HIDDEN],
  ['Authorization', 'Bearer p\u00c3\u00a4ssword', 'p\u00e4ssword', HIDDEN],
];
for (const [name, value, text, shown] of SPELLED) {
  test(`trace – ${JSON.stringify(text)} beside ${name}: ${JSON.stringify(value)} → ${shown}`, () => {
    assert.equal(new Secrets(secretNames(), [name, value], '/').search().text(text), shown);
  });
}

test('trace – a text whose end cuts a secret → nothing of it is shown', () => {
  const cut = new Secrets(secretNames(), ['Authorization', 'Bearer abcdefghijklmnop'], '/').search();
  for (let length = 1; length < 23; length++)
    assert.doesNotMatch(
      cut.beginning(`${'.'.repeat(100)}Bearer abcdefghijklmnop`.slice(0, 100 + length), 4096),
      /[a-z]/,
    );
  assert.equal(cut.beginning(`abcdefghijklmnop${'.'.repeat(100)}`, 10), `${HIDDEN}..`);
});

test('trace – a user in front of a host → not shown', () => {
  assert.equal(secrets.target('http://user:passw0rd@host/x'), 'http://host/x');
});

test('trace – a value of several texts → hidden in all, also in names of members', () => {
  assert.deepEqual(secrets.search().all({ proxied: ['a', { b: 'is proxied' }], n: 1, none: null }), {
    [HIDDEN]: ['a', { b: `is ${HIDDEN}` }],
    n: 1,
    none: null,
  });
});

for (const [text, shown] of TEXTS) {
  test(`trace – the text ${JSON.stringify(text)} → ${shown}`, () => assert.equal(secrets.search().text(text), shown));
}

const TARGETS: readonly (readonly [target: string, shown: string])[] = [
  ['/api?KEY=query%20key&page=2', `/api?KEY=${HIDDEN}&page=2`],
  ['/api?page=2&%6Bey=x', `/api?page=2&%6Bey=${HIDDEN}`],
  ['key=1&a=key', `key=${HIDDEN}&a=key`],
  ['/key=1', '/key=1'],
];
for (const [target, shown] of TARGETS) {
  test(`trace – the target ${target} → ${shown}`, () => assert.equal(secrets.target(target), shown));
}

test('D37 – a cookie of 1,500 pairs → all are hidden, in steps that grow with the text', (t) => {
  const pairs = Array.from({ length: 1500 }, (_, at) => `c${at}=k${at}ey-${at}`);
  const many = new Secrets(names, ['Cookie', pairs.join('; ')], '/').search();
  const sought = t.mock.method(String.prototype, 'indexOf');
  const cut = t.mock.method(String.prototype, 'slice');
  const text = `/x?theme=dark&a=k77ey-77&b=${'.'.repeat(1000)}k1499ey-1499`;
  const shown = many.text(text);
  const steps = sought.mock.callCount() + cut.mock.callCount();
  t.mock.restoreAll();
  assert.ok(steps <= 4 * text.length + 2 * pairs.length, `${steps} steps`);
  assert.ok(shown.startsWith(`/x?theme=dark&a=${HIDDEN}`), shown);
  assert.doesNotMatch(shown, /k\d+ey/);
});

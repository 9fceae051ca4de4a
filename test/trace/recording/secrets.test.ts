/** What no recording shows, wherever a request or a handler puts it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { securityScheme } from '../../../src/api/security/security-scheme.ts';
import { addKeysOf, HIDDEN, Secrets, secretNames } from '../../../src/trace/recording/secrets.ts';

const names = secretNames();
for (const [place, name] of [
  ['header', 'X-Key'],
  ['query', 'key'],
] as const)
  addKeysOf({ security: [securityScheme(name, { type: 'apiKey', in: place, name })] }, names);

const BASIC = Buffer.from('ada:open sesame').toString('base64');
const secrets = new Secrets(
  names,
  [
    ...[
      'Host',
      'localhost',
      'authorization',
      `Basic ${BASIC}`,
      'COOKIE',
      'theme=dark; session=abcdef',
      'x-KEY',
      'k3y/of"ada',
    ],
    ...['Proxy-Authorization', 'Bearer proxied', 'X-Other', 'shown'],
  ],
  '/api?KEY=query%20key&page=2',
);

const HEADERS: readonly (readonly [name: string, value: string, shown: string])[] = [
  ['Authorization', 'any', HIDDEN],
  ['proxy-authorization', 'any', HIDDEN],
  ['cookie', 'a=b', HIDDEN],
  ['Set-Cookie', 'session=new; Secure', HIDDEN],
  ['X-KEY', 'short', HIDDEN],
  ['X-Other', 'shown', 'shown'],
  ['Location', '/login?back=proxied', `/login?back=${HIDDEN}`],
];
for (const [name, value, shown] of HEADERS) {
  test(`trace – the header ${name}: ${value} → ${shown}`, () => {
    assert.equal(secrets.header(name, value), shown);
  });
}

const TEXTS: readonly (readonly [text: string, shown: string])[] = [
  ['nothing here', 'nothing here'],
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
for (const [text, shown] of TEXTS) {
  test(`trace – the text ${JSON.stringify(text)} → ${shown}`, () => {
    assert.equal(secrets.text(text), shown);
  });
}

const TARGETS: readonly (readonly [target: string, shown: string])[] = [
  ['/api?KEY=query%20key&page=2', `/api?KEY=${HIDDEN}&page=2`],
  ['/api?page=2&%6Bey=x', `/api?page=2&%6Bey=${HIDDEN}`],
  ['key=1&a=key', `key=${HIDDEN}&a=key`],
  ['/key=1', '/key=1'],
];
for (const [target, shown] of TARGETS) {
  test(`trace – the target ${target} → ${shown}`, () => {
    assert.equal(secrets.target(target), shown);
  });
}

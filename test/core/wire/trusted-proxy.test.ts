import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { type Forwarded, forwarded, trustedProxies } from '../../../src/core/wire/trusted-proxy.ts';
import { ask } from '../../support/ask.ts';
import { serve } from '../../support/serve.ts';

const TRUSTED = trustedProxies(['loopback', '10.0.0.0/8', '2001:db8::/32']);
const PEER = '10.0.0.1';
const CLIENT = '198.51.100.7';
const OTHER = '203.0.113.9';

const request = (peer: string | undefined, headers: IncomingHttpHeaders) =>
  ({ headers: { host: 'inner:8080', ...headers }, socket: { remoteAddress: peer } }) as unknown as IncomingMessage;

interface Case {
  readonly because: string;
  readonly peer?: string;
  readonly headers: IncomingHttpHeaders;
  readonly want: Partial<Forwarded>;
}

/** The proxies write `X-Forwarded-*`. */
const IN_X: readonly Case[] = [
  { because: 'nothing is said', headers: {}, want: {} },
  {
    because: 'the peer is no proxy of ours',
    peer: OTHER,
    headers: {
      forwarded: `for=${CLIENT};proto=https;host=a`,
      'x-forwarded-for': CLIENT,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'a',
      'x-forwarded-prefix': '/p',
    },
    want: { remoteAddress: OTHER },
  },
  { because: 'one proxy', headers: { 'x-forwarded-for': CLIENT }, want: { remoteAddress: CLIENT } },
  {
    because: 'the peer is an IPv4 address written as IPv6',
    peer: '::ffff:10.0.0.1',
    headers: { 'x-forwarded-for': CLIENT },
    want: { remoteAddress: CLIENT },
  },
  {
    because: 'the peer is on loopback',
    peer: '::1',
    headers: { 'x-forwarded-for': CLIENT },
    want: { remoteAddress: CLIENT },
  },
  {
    because: 'the client made an entry up',
    headers: { 'x-forwarded-for': `1.2.3.4, ${CLIENT}` },
    want: { remoteAddress: CLIENT },
  },
  {
    because: 'two proxies of ours',
    headers: { 'x-forwarded-for': `1.2.3.4, ${CLIENT}, 10.0.0.2` },
    want: { remoteAddress: CLIENT },
  },
  {
    because: 'only proxies of ours',
    headers: { 'x-forwarded-for': '10.0.0.3, 10.0.0.2' },
    want: { remoteAddress: '10.0.0.3' },
  },
  {
    because: 'an entry with a port',
    headers: { 'x-forwarded-for': `${CLIENT}:4711` },
    want: { remoteAddress: CLIENT },
  },
  {
    because: 'an entry in brackets',
    headers: { 'x-forwarded-for': '[2001:4860::1]:4711' },
    want: { remoteAddress: '2001:4860::1' },
  },
  {
    because: 'an entry that is nothing',
    headers: { 'x-forwarded-for': '<script>' },
    want: { remoteAddress: 'unknown' },
  },
  {
    because: 'protocol and host',
    headers: { 'x-forwarded-proto': 'HTTPS', 'x-forwarded-host': 'todo.example' },
    want: { protocol: 'https', host: 'todo.example' },
  },
  {
    because: 'protocols of two proxies',
    headers: { 'x-forwarded-for': `${CLIENT}, 10.0.0.2`, 'x-forwarded-proto': 'https, http' },
    want: { remoteAddress: CLIENT, protocol: 'https' },
  },
  {
    because: 'a protocol in front of the trusted ones',
    headers: { 'x-forwarded-for': `1.2.3.4, ${CLIENT}`, 'x-forwarded-proto': 'https, http' },
    want: { remoteAddress: CLIENT, protocol: 'http' },
  },
  {
    because: 'a protocol and a host that are none',
    headers: { 'x-forwarded-proto': 'javascript', 'x-forwarded-host': '<script>' },
    want: {},
  },
  { because: 'a prefix', headers: { 'x-forwarded-prefix': '/todo/' }, want: { prefix: '/todo' } },
  { because: 'a prefix of the root', headers: { 'x-forwarded-prefix': '/' }, want: {} },
  {
    because: 'prefixes of two proxies',
    headers: { 'x-forwarded-prefix': '/outer, /inner' },
    want: { prefix: '/outer/inner' },
  },
  { because: 'a prefix that is another host', headers: { 'x-forwarded-prefix': '//evil.example' }, want: {} },
  { because: 'a prefix that climbs', headers: { 'x-forwarded-prefix': '/a/../b' }, want: {} },
  { because: 'a prefix that climbs in escapes', headers: { 'x-forwarded-prefix': '/%2e%2E/b' }, want: {} },
  { because: 'a prefix with a query', headers: { 'x-forwarded-prefix': '/a?b' }, want: {} },
  {
    because: 'Forwarded from the client',
    headers: { forwarded: 'for=1.2.3.4;proto=https;host=evil.example' },
    want: {},
  },
  {
    because: 'Forwarded from the client beside what the proxy wrote',
    headers: { forwarded: 'for=1.2.3.4;proto=https;host=evil.example', 'x-forwarded-for': CLIENT },
    want: { remoteAddress: CLIENT },
  },
  {
    because: 'Forwarded from the client that is broken',
    headers: { forwarded: 'for="', 'x-forwarded-for': CLIENT },
    want: { remoteAddress: CLIENT },
  },
];

/** The proxies write `Forwarded`. */
const IN_FORWARDED: readonly Case[] = [
  {
    because: 'RFC 7239',
    headers: { forwarded: `for=${CLIENT};proto=https;host=todo.example` },
    want: { remoteAddress: CLIENT, protocol: 'https', host: 'todo.example' },
  },
  {
    because: 'RFC 7239, quoted',
    headers: { forwarded: 'For="[2001:4860::1]:4711"; Proto="https";host="todo.example:8443"' },
    want: { remoteAddress: '2001:4860::1', protocol: 'https', host: 'todo.example:8443' },
  },
  { because: 'RFC 7239, hidden', headers: { forwarded: 'for=_hidden' }, want: { remoteAddress: '_hidden' } },
  {
    because: 'RFC 7239, two proxies of ours',
    headers: { forwarded: `for=1.2.3.4, for=${CLIENT};proto=https, for=10.0.0.2;proto=http` },
    want: { remoteAddress: CLIENT, protocol: 'https' },
  },
  {
    because: 'RFC 7239, a comma in quotes',
    headers: { forwarded: `for="a\\",b", for=${CLIENT}` },
    want: { remoteAddress: CLIENT },
  },
  {
    because: 'RFC 7239, separators in the quotes of our proxy',
    headers: { forwarded: `for=1.2.3.4, for=${CLIENT};by="a,;\\"\\\\"` },
    want: { remoteAddress: CLIENT },
  },
  {
    because: 'RFC 7239, an escaped letter',
    headers: { forwarded: 'for="_h\\idden"' },
    want: { remoteAddress: '_hidden' },
  },
  {
    because: 'RFC 7239, empty elements',
    headers: { forwarded: `, for=1.2.3.4 ,, for=${CLIENT} , ` },
    want: { remoteAddress: CLIENT },
  },
  {
    because: 'RFC 7239, a parameter twice',
    headers: { forwarded: `for=1.2.3.4;for=${CLIENT}` },
    want: { remoteAddress: CLIENT },
  },
  { because: 'RFC 7239, broken', headers: { forwarded: `for=${CLIENT};proto` }, want: {} },
  { because: 'RFC 7239, a space behind the equals sign', headers: { forwarded: `for= ${CLIENT}` }, want: {} },
  {
    because: 'RFC 7239, broken behind a proxy of ours',
    headers: { forwarded: 'for=1.2.3.4, for, for=10.0.0.2' },
    want: { remoteAddress: '10.0.0.2' },
  },
  {
    because: 'RFC 7239, half a quoted string from the client',
    headers: { forwarded: `for="1.2.3.4, for=${CLIENT};proto=https` },
    want: { remoteAddress: CLIENT, protocol: 'https' },
  },
  {
    because: 'RFC 7239, half a quoted string from the client, a whole one from our proxy',
    headers: { forwarded: 'for=1.2.3.4;by=", for="[2001:4860::1]:4711"' },
    want: { remoteAddress: '2001:4860::1' },
  },
  {
    because: 'X-Forwarded-* from the client',
    headers: {
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-prefix': '/evil',
    },
    want: {},
  },
  {
    because: 'X-Forwarded-* from the client beside what the proxy wrote',
    headers: {
      forwarded: `for=${CLIENT};proto=https`,
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-proto': 'http',
      'x-forwarded-prefix': '/evil',
    },
    want: { remoteAddress: CLIENT, protocol: 'https' },
  },
  {
    because: 'the peer is no proxy of ours',
    peer: OTHER,
    headers: { forwarded: `for=${CLIENT}` },
    want: { remoteAddress: OTHER },
  },
];

for (const [family, cases] of [
  ['x-forwarded', IN_X],
  ['forwarded', IN_FORWARDED],
] as const) {
  for (const { because, peer = PEER, headers, want } of cases) {
    test(`D18 – ${family} is believed, ${because} → ${JSON.stringify(want)}`, () => {
      const direct = { remoteAddress: peer, protocol: 'http', host: 'inner:8080', prefix: '' };
      assert.deepEqual(forwarded(request(peer, headers), TRUSTED, family), { ...direct, ...want });
    });
  }
}

test('D18 – no family named → X-Forwarded-*, as the setting', () => {
  const { remoteAddress } = forwarded(request(PEER, { 'x-forwarded-for': CLIENT, forwarded: 'for=1.2.3.4' }), TRUSTED);
  assert.equal(remoteAddress, CLIENT);
});

for (const [family, prefix] of [
  ['x-forwarded', '/evil'],
  ['forwarded', ''],
] as const) {
  test(`D18 – the proxies write ${family} → X-Forwarded-Prefix puts "${prefix}" in front of links`, async (t) => {
    const { port } = await serve(t, { trustedProxies: ['loopback'], forwardedHeaders: family });
    const headers = { 'X-Forwarded-Prefix': '/evil', Forwarded: 'for=192.0.2.1', 'Content-Type': 'application/json' };
    const {
      status,
      headers: { location },
    } = await ask(port, { method: 'POST', target: '/api/todo', headers, body: '{"name":"New"}' });
    assert.equal(status, 201);
    assert.ok(location!.startsWith(`${prefix}/api/todo/`), location);
  });
}

test('D18 – the socket is gone → nobody is named, nothing is believed', () => {
  assert.equal(forwarded(request(undefined, { 'x-forwarded-for': CLIENT }), TRUSTED).remoteAddress, undefined);
});

test('D18 – no proxies → nothing is believed', () => {
  assert.equal(forwarded(request(PEER, { 'x-forwarded-for': CLIENT }), trustedProxies([])).remoteAddress, PEER);
});

const NO_PROXIES = [
  '',
  'x',
  'localhost',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0/8',
  '::/129',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  '10.0.0.1:80',
];
for (const entry of NO_PROXIES) {
  test(`D18 – the proxy ${JSON.stringify(entry)} → refused`, () => {
    assert.throws(
      () => trustedProxies([entry]),
      (error) => {
        assert.ok(error instanceof SyntaxError);
        return error.message.startsWith(`Cannot trust the proxy "${entry}": `);
      },
    );
  });
}

for (const [entry, inside, outside] of [
  ['10.0.0.1', '10.0.0.1', '10.0.0.2'],
  ['10.0.0.0/8', '10.255.0.1', '11.0.0.1'],
  ['0.0.0.0/0', '8.8.8.8', '::1'],
  ['2001:db8::/32', '2001:db8:1::1', '2001:db9::1'],
  ['loopback', '127.8.0.1', '128.0.0.1'],
  ['loopback', '::1', '::2'],
  ['10.0.0.0/8', '::ffff:10.1.2.3', '::ffff:11.1.2.3'],
  ['::1', '::1', 'unknown'],
] as const) {
  test(`D18 – ${entry} → ${inside} is in, ${outside} is not`, () => {
    assert.equal(trustedProxies([entry]).has(inside), true);
    assert.equal(trustedProxies([entry]).has(outside), false);
  });
}

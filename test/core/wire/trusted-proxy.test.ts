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

const CASES: readonly Case[] = [
  { because: 'nothing is said', headers: {}, want: {} },
  {
    because: 'the peer is no proxy of ours',
    peer: OTHER,
    headers: {
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
    because: 'an IPv4 address written as IPv6',
    headers: { 'x-forwarded-for': `::ffff:${CLIENT}` },
    want: { remoteAddress: CLIENT },
  },
  {
    because: 'a proxy of ours written as IPv6',
    headers: { 'x-forwarded-for': `${CLIENT}, ::ffff:10.0.0.2` },
    want: { remoteAddress: CLIENT },
  },
  {
    because: 'an IPv6 address without brackets',
    headers: { 'x-forwarded-for': '2001:4860::1' },
    want: { remoteAddress: '2001:4860::1' },
  },
  {
    because: 'an address behind what is not an address',
    headers: { 'x-forwarded-for': `${CLIENT}, _hidden` },
    want: { remoteAddress: 'unknown' },
  },
  { because: 'an empty entry', headers: { 'x-forwarded-for': `${CLIENT},` }, want: { remoteAddress: 'unknown' } },
  {
    because: 'Forwarded beside what the proxy wrote',
    headers: { forwarded: 'for=1.2.3.4;proto=https;host=evil.example', 'x-forwarded-for': CLIENT },
    want: { remoteAddress: CLIENT },
  },
];

for (const { because, peer = PEER, headers, want } of CASES) {
  test(`D18 – X-Forwarded-*, ${because} → ${JSON.stringify(want)}`, () => {
    const direct = { remoteAddress: peer, protocol: 'http', host: 'inner:8080', prefix: '' };
    assert.deepEqual(forwarded(request(peer, headers), TRUSTED), { ...direct, ...want });
  });
}

test('D18 – X-Forwarded-Prefix of a trusted proxy → in front of links', async (t) => {
  const { port } = await serve(t, { trustedProxies: ['loopback'] });
  const headers = { 'X-Forwarded-Prefix': '/outer', 'Content-Type': 'application/json' };
  const { status, headers: answered } = await ask(port, {
    method: 'POST',
    target: '/api/todo',
    headers,
    body: '{"name":"New"}',
  });
  assert.equal(status, 201);
  assert.match(answered.location!, /^\/outer\/api\/todo\//);
});

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
  '[::1]',
  'fe80::1%eth0',
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
  ['10.0.0.1', '::ffff:10.0.0.1', '::ffff:10.0.0.2'],
  ['::ffff:10.0.0.0/104', '10.0.0.1', '11.0.0.1'],
  ['fe80::/64', 'fe80::1%eth0', 'fe80:0:0:1::1%eth0'],
] as const) {
  test(`D18 – ${entry} → ${inside} is in, ${outside} is not`, () => {
    assert.equal(trustedProxies([entry]).has(inside), true);
    assert.equal(trustedProxies([entry]).has(outside), false);
  });
}

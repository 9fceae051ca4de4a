import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { forwarded, trustedProxies } from '../../../src/core/server/trusted-proxy.ts';
import { ask } from '../../support/ask.ts';
import { serve } from '../../support/serve.ts';

const TRUSTED = trustedProxies(['loopback', '10.0.0.0/8', '2001:db8::/32']);
const PEER = '10.0.0.1';
const CLIENT = '198.51.100.7';
const OTHER = '203.0.113.9';

const request = (peer: string | undefined, headers: IncomingHttpHeaders) =>
  ({ headers: { host: 'inner:8080', ...headers }, socket: { remoteAddress: peer } }) as unknown as IncomingMessage;

for (const [because, headers, want, peer = PEER] of [
  ['nothing is said', {}, {}],
  [
    'the peer is no proxy of ours',
    { 'x-forwarded-for': CLIENT, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a', 'x-forwarded-prefix': '/p' },
    { remoteAddress: OTHER },
    OTHER,
  ],
  ['one proxy', { 'x-forwarded-for': CLIENT }, { remoteAddress: CLIENT }],
  [
    'the peer is an IPv4 address written as IPv6',
    { 'x-forwarded-for': CLIENT },
    { remoteAddress: CLIENT },
    '::ffff:10.0.0.1',
  ],
  ['the peer is on loopback', { 'x-forwarded-for': CLIENT }, { remoteAddress: CLIENT }, '::1'],
  ['the client made an entry up', { 'x-forwarded-for': `1.2.3.4, ${CLIENT}` }, { remoteAddress: CLIENT }],
  ['two proxies of ours', { 'x-forwarded-for': `1.2.3.4, ${CLIENT}, 10.0.0.2` }, { remoteAddress: CLIENT }],
  ['only proxies of ours', { 'x-forwarded-for': '10.0.0.3, 10.0.0.2' }, { remoteAddress: '10.0.0.3' }],
  ['an entry with a port', { 'x-forwarded-for': `${CLIENT}:4711` }, { remoteAddress: CLIENT }],
  ['an entry in brackets', { 'x-forwarded-for': '[2001:4860::1]:4711' }, { remoteAddress: '2001:4860::1' }],
  ['an entry that is nothing', { 'x-forwarded-for': '<script>' }, { remoteAddress: 'unknown' }],
  [
    'protocol and host',
    { 'x-forwarded-proto': 'HTTPS', 'x-forwarded-host': 'todo.example' },
    { protocol: 'https', host: 'todo.example' },
  ],
  [
    'protocols of two proxies',
    { 'x-forwarded-for': `${CLIENT}, 10.0.0.2`, 'x-forwarded-proto': 'https, http' },
    { remoteAddress: CLIENT, protocol: 'https' },
  ],
  [
    'a protocol in front of the trusted ones',
    { 'x-forwarded-for': `1.2.3.4, ${CLIENT}`, 'x-forwarded-proto': 'https, http' },
    { remoteAddress: CLIENT, protocol: 'http' },
  ],
  ['a protocol and a host that are none', { 'x-forwarded-proto': 'javascript', 'x-forwarded-host': '<script>' }, {}],
  ['a prefix', { 'x-forwarded-prefix': '/todo/' }, { prefix: '/todo' }],
  ['a prefix of the root', { 'x-forwarded-prefix': '/' }, {}],
  ['prefixes of two proxies', { 'x-forwarded-prefix': '/outer, /inner' }, { prefix: '/outer/inner' }],
  ['a prefix that is another host', { 'x-forwarded-prefix': '//evil.example' }, {}],
  ['a prefix that climbs', { 'x-forwarded-prefix': '/a/../b' }, {}],
  ['a prefix that climbs in escapes', { 'x-forwarded-prefix': '/%2e%2E/b' }, {}],
  ['a prefix with a query', { 'x-forwarded-prefix': '/a?b' }, {}],
  ['an IPv4 address written as IPv6', { 'x-forwarded-for': `::ffff:${CLIENT}` }, { remoteAddress: CLIENT }],
  [
    'the same in hexadecimal digits',
    { 'x-forwarded-for': '[0:0:0:0:0:FFFF:808:808]:80' },
    { remoteAddress: '8.8.8.8' },
  ],
  ['a proxy of ours written as IPv6', { 'x-forwarded-for': `${CLIENT}, ::ffff:10.0.0.2` }, { remoteAddress: CLIENT }],
  ['an IPv6 address without brackets', { 'x-forwarded-for': '2001:4860::1' }, { remoteAddress: '2001:4860::1' }],
  [
    'an address behind what is not an address',
    { 'x-forwarded-for': `${CLIENT}, _hidden` },
    { remoteAddress: 'unknown' },
  ],
  ['an empty entry', { 'x-forwarded-for': `${CLIENT},` }, { remoteAddress: 'unknown' }],
  [
    'Forwarded beside what the proxy wrote',
    { forwarded: 'for=1.2.3.4;proto=https;host=evil.example', 'x-forwarded-for': CLIENT },
    { remoteAddress: CLIENT },
  ],
] as const)
  test(`D18 – X-Forwarded-*, ${because} → ${JSON.stringify(want)}`, () => {
    const direct = { remoteAddress: peer, protocol: 'http', host: 'inner:8080', prefix: '' };
    assert.deepEqual(forwarded(request(peer, headers), TRUSTED), { ...direct, ...want });
  });

test('D18 – X-Forwarded-Prefix of a trusted proxy → is the prefix of links', async (t) => {
  const { port } = await serve(t, { trustedProxies: ['loopback'] });
  const headers = { 'X-Forwarded-Prefix': '/outer', 'Content-Type': 'application/json' };
  const created = await ask(port, { method: 'POST', target: '/api/todo', headers, body: '{"name":"New"}' });
  assert.match(created.headers['location']!, /^\/outer\/api\/todo\//);
});

test('D18 – a closed socket → no address, and no header is trusted', () =>
  assert.equal(forwarded(request(undefined, { 'x-forwarded-for': CLIENT }), TRUSTED).remoteAddress, undefined));

test('D18 – no proxies → no header is trusted', () =>
  assert.equal(forwarded(request(PEER, { 'x-forwarded-for': CLIENT }), trustedProxies([])).remoteAddress, PEER));

const NO_PROXIES = [
  ...['', 'x', 'localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '::/129', '10.0.0.0/8/8', '10.0.0.0/-1'],
  ...['10.0.0.1:80', '[::1]', 'fe80::1%eth0'],
];
for (const entry of NO_PROXIES)
  test(`D18 – the proxy ${JSON.stringify(entry)} → throws`, () =>
    assert.throws(
      () => trustedProxies([entry]),
      (error) => error instanceof SyntaxError && error.message.startsWith(`Cannot trust the proxy "${entry}": `),
    ));

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
  ['10.0.0.1', '0:0:0:0:0:FFFF:a00:1', '::ffff:a00:2'],
  ['::FFFF:a00:1', '10.0.0.1', '10.0.0.2'],
  ['::ffff:10.0.0.0/104', '10.0.0.1', '11.0.0.1'],
  ['fe80::/64', 'fe80::1%eth0', 'fe80:0:0:1::1%eth0'],
] as const)
  test(`D18 – ${entry} → includes ${inside} but not ${outside}`, () => {
    assert.equal(trustedProxies([entry]).has(inside), true);
    assert.equal(trustedProxies([entry]).has(outside), false);
  });

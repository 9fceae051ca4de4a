/** The policy of a page of a handler: what it may load, with and without further sources. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerOf } from '../../../src/core/http/replies.ts';
import { html } from '../../../src/plugins/files/html.ts';

const END = "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
for (const [options, policy] of [
  [{}, `default-src 'self'; ${END}`],
  [
    { images: ['data:', 'https://a.example:8080'] },
    `default-src 'self'; img-src 'self' data: https://a.example:8080; ${END}`,
  ],
  [
    { scripts: ["'sha256-YQ=='"], styles: ["'unsafe-inline'"] },
    `default-src 'self'; script-src 'self' 'sha256-YQ=='; style-src 'self' 'unsafe-inline'; ${END}`,
  ],
  [{ scripts: [] }, `default-src 'self'; script-src 'self'; ${END}`],
  [{ headers: { 'Content-Security-Policy': "default-src 'none'" } }, "default-src 'none'"],
] as const)
  test(`a page with ${JSON.stringify(options)} → ${policy}`, () => {
    const reply = html('<p>ü', options);
    assert.equal(headerOf(reply, 'Content-Security-Policy'), policy);
    assert.equal(headerOf(reply, 'Content-Type'), 'text/html; charset=utf-8');
    assert.equal(headerOf(reply, 'Referrer-Policy'), 'same-origin');
    assert.deepEqual([reply.status, headerOf(reply, 'Content-Length')], [200, '5']);
  });

for (const source of [
  'self',
  'unsafe-inline',
  "'unsafe-inlin'",
  "'none'",
  'sha256-YQ==',
  'nonce-a',
  'https://a.example; script-src *',
  'https://a.example?v=1',
  'https:/a.example',
  '//a.example',
  'data',
  'https',
  'a b',
  'a,b',
  '',
  'a\r\nSet-Cookie: a',
  7 as unknown as string,
  undefined as unknown as string,
])
  test(`a page with the source ${JSON.stringify(source)} → an error with the remedy`, () => {
    const message = /^Cannot make a page with the source .* in its script-src; give a list of origins such as/;
    assert.throws(() => html('', { scripts: [source] }), { name: 'InvalidReply', message });
  });

for (const source of [
  'https://a.example',
  'https://a.example:8443/js/',
  'http://localhost:*',
  '*.a.example',
  'a.example',
  'wss://a.example',
  'data:',
  'https:',
  "'self'",
  "'unsafe-inline'",
  "'sha256-YQ=='",
  "'nonce-YQ'",
])
  test(`a page with the source ${source} → its policy has the source`, () => {
    const policy = headerOf(html('', { images: [source] }), 'Content-Security-Policy')!;
    assert.ok(policy.includes(`img-src 'self' ${source};`), policy);
  });

test('a page with sources and a policy → an error, because only the policy would count', () => {
  const headers = { 'content-security-policy': "default-src 'self'" };
  assert.throws(() => html('', { images: ['data:'], headers }), /leave out one of the two/);
  assert.equal(headerOf(html('', { headers }), 'Content-Security-Policy'), "default-src 'self'");
});

test('a page of another status, and a body that is not a text', () => {
  assert.equal(html('Nothing here', { status: 404 }).status, 404);
  assert.throws(() => html(7 as unknown as string), { name: 'InvalidReply', message: /html\(…\) of a number/ });
  assert.throws(() => html('', { script: [] } as object), /script/);
  assert.throws(() => html('', { scripts: 'https://a.example' as unknown as [] }), /give a list of origins/);
});

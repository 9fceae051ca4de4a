/** Redirects (D75), the fault of each reply, and a source that never waits. */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { readyReply } from '../../../src/core/http/ready-reply.ts';
import { headerOf, redirect } from '../../../src/core/http/replies.ts';
import type { Reply } from '../../../src/core/http/reply.ts';
import { SourceStream } from '../../../src/core/http/source-stream.ts';
import { route } from '../../../src/core/routing/route.ts';
import { contextFor } from '../../../src/testing.ts';
import { INVALID, VALID } from './reply-fault.cases.ts';

for (const status of [undefined, 301, 302, 303, 307, 308] as const)
  test(`D75 – a redirect with the status ${status ?? 'of its default'} → ${status ?? 302}, Location, no body`, async () => {
    const handle = () => redirect('/a?b=%C3%BC#c', status as 302, { headers: { 'Set-Cookie': 'a=b' } });
    const { request } = application([{ name: 'a', routes: [route({ path: '', handle })] }]);
    for (const method of ['GET', 'POST', 'HEAD']) {
      const { status: sent, headers } = await request('/', { method });
      const values = ['location', 'set-cookie', 'content-length'].map((name) => headers.get(name));
      assert.deepEqual([sent, ...values], [status ?? 302, '/a?b=%C3%BC#c', 'a=b', '0']);
      assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
    }
  });

for (const location of ['https://example.com/', '//example.com', '/', '?page=2', '#top', '../up', "/it's(1)"])
  test(`D75 – a redirect to ${location} → the Location is unchanged`, () =>
    assert.equal(headerOf(redirect(location), 'Location'), location));

for (const location of [
  '',
  ' ',
  '/a b',
  '/ü',
  '/a\r\nSet-Cookie: a=b',
  '/a\0',
  '/\t',
  '/\\evil.example',
  '/✓',
  undefined,
  5,
  new URL('a:b'),
])
  test(`D75 – a redirect to ${JSON.stringify(location)} → a TypeError with the remedy`, () =>
    assert.throws(() => redirect(location as string), {
      name: 'TypeError',
      message: /Cannot redirect to .*encode it/,
    }));

for (const status of [200, 300, 304, 305, 306, 309, 404, 302.5, '302'])
  test(`D75 – a redirect with the status ${JSON.stringify(status)} → a RangeError`, () =>
    assert.throws(() => redirect('/', status as 302), { name: 'RangeError', message: /give one of 301, 302, 303/ }));

const nameStage = (): string => 'a stage';

for (const { clause, question, reply, says, method } of [...INVALID, ...VALID])
  test(`${clause} – a reply with ${question} → ${says === undefined ? 'it can be sent' : 'an InvalidReply names the fault'}`, () => {
    const context = contextFor('/', { method: method! });
    const ready = (): unknown => readyReply(reply() as Reply, context, nameStage);
    if (says === undefined) ready();
    else assert.throws(ready, { name: 'InvalidReply', message: says });
  });

const MAX_PARTS = 5000;
const text = 'x'.repeat(1000);

for (const [what, part] of [
  ['texts', text],
  ['bytes', Buffer.from(text)],
] as const)
  test(`D100 – a source of ${what} that never waits, and a fast reader → other events are still handled`, async () => {
    let isTurned = false;
    let yielded = 0;
    function* parts() {
      while (yielded < MAX_PARTS && !isTurned) yield (yielded += 1) && part;
    }
    let received = 0;
    const reader = new Writable({
      write(chunk: Buffer, _encoding, done) {
        received += chunk.length;
        done();
      },
    });
    setImmediate(() => setImmediate(() => (isTurned = true)));
    await pipeline(new SourceStream(parts()), reader);
    assert.ok(isTurned && yielded < MAX_PARTS, `${yielded} parts`);
    assert.equal(received, yielded * text.length);
  });

/** Defines a member that has another value after the first read. */
function changing<Target extends object>(target: Target, name: keyof Target, later: unknown): Target {
  let value: unknown = target[name];
  const get = (): unknown => {
    const read = value;
    value = later;
    return read;
  };
  return Object.defineProperty(target, name, { get, enumerable: true });
}
const SPLITTING = 'a\r\nX-B: b';
const reply = (headers: Reply['headers']) => ({ status: 200, headers, body: 'b' });
for (const [what, returned] of [
  ['a status', changing(reply({ 'X-A': 'a' }), 'status', 99)],
  ['headers', changing(reply({ 'X-A': 'a' }), 'headers', { 'X-A': SPLITTING })],
  ['a body', changing(reply({ 'X-A': 'a' }), 'body', 'longer')],
  ['the value of a header', reply(changing({ 'X-A': 'a' }, 'X-A', SPLITTING))],
  ['an item in a list of headers', reply(changing(['X-A', 'a'], 1, SPLITTING))],
] as const)
  test(`RFC 9112 §11.1 – a stage returns a reply with ${what} that changes after a read → the checked values are sent`, async () => {
    const { request } = application([{ name: 'a', stages: [() => returned as Reply] }]);
    const { status, headers, text } = await request('/').then(async (sent) => ({
      status: sent.status,
      headers: sent.headers,
      text: await sent.text(),
    }));
    assert.deepEqual([status, headers.get('X-A'), headers.get('X-B'), text], [200, 'a', null, 'b']);
  });

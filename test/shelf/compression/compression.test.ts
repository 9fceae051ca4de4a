/** Tests compressed replies: their selection, tags and conditions, streams, and the bytes on the wire. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { application, empty, json, type Plugin, route, stream, text } from '../../../src/index.ts';
import { file } from '../../../src/plugins/files/files.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { compression, uncompressed } from '../../../src/shelf/compression/compression.ts';
import { cors } from '../../../src/shelf/cors/cors.ts';
import { events } from '../../../src/shelf/events/events.ts';
import { allowedMethods } from '../../../src/shelf/methods/methods.ts';
import { type Answer, ask, Client, type Question } from '../../support/ask.ts';
import { gate } from '../../support/gate.ts';
import { logged, serveHandler } from '../../support/serve.ts';
import { failing } from '../../support/streams.ts';
import { until } from '../../support/until.ts';

const LONG = 'A text that is long enough. '.repeat(100);
/** Bytes that compression does not make shorter. `DENSER` is long enough to be compressed in another thread. */
const DENSE = randomBytes(2000);
const DENSER = randomBytes(40_000);
const get = (path: string, handle: Parameters<typeof route>[0]['handle']) =>
  route({ method: ['GET', 'HEAD'], path, handle });
async function* oneEvent() {
  yield { data: LONG };
}
const texts: Plugin = {
  name: 'texts',
  routes: [
    get('long', () => text(LONG, { headers: { ETag: '"x"', 'Accept-Ranges': 'bytes' } })),
    get('big', () => text(LONG.repeat(20))),
    get('weak', () => text(LONG, { headers: { ETag: 'W/"x"' } })),
    get('untagged', () => json({ LONG }, { headers: { Vary: 'Accept, accept-encoding' } })),
    get('any', () => json({ LONG }, { headers: { Vary: '*' } })),
    get('short', () => text('x'.repeat(1023))),
    get('least', () => text('x'.repeat(1024))),
    get('bytes', () => ({ status: 200, headers: { 'Content-Type': 'text/plain' }, body: Buffer.from(LONG) })),
    get('image', () => ({ status: 200, headers: { 'Content-Type': 'image/png' }, body: LONG })),
    get('drawing', () => ({ status: 200, headers: { 'Content-Type': 'image/svg+xml' }, body: LONG })),
    get('coded', () => text(LONG, { headers: { 'Content-Encoding': 'br' } })),
    get('part', () => text(LONG, { status: 206, headers: { 'Content-Range': `bytes 0-${LONG.length - 1}/99999` } })),
    get('digest', () => text(LONG, { headers: { 'Content-Digest': 'sha-256=:AA==:' } })),
    get('dense', () => ({ status: 200, headers: { 'Content-Type': 'text/plain', ETag: '"d"' }, body: DENSE })),
    get('denser', () => ({ status: 200, headers: { 'Content-Type': 'text/plain', ETag: '"e"' }, body: DENSER })),
    get('tiny', () => text('x', { headers: { ETag: '"t"' } })),
    get('fixed', () => text(LONG, { headers: { 'Cache-Control': 'no-store, No-Transform' } })),
    get('empty', () => empty()),
    get('events', ({ context }) => events(context, oneEvent)),
    get('stream', () => stream([LONG, LONG], { mediaType: 'application/x-ndjson', headers: { ETag: '"s"' } })),
    get('sized', () => stream([LONG], { mediaType: 'text/csv', headers: { 'Content-Length': String(LONG.length) } })),
    route({ method: 'GET', path: 'secret', stages: [uncompressed], handle: () => text(LONG) }),
    route({ method: 'POST', path: 'long', handle: () => text(LONG, { status: 201, headers: { ETag: '"x"' } }) }),
    get('file', ({ context }) => file(context, 'package-lock.json', { root: '.', mediaType: 'application/json' })),
  ],
};

type CompressionOptions = Parameters<typeof compression>[0];

async function portOf(t: TestContext, plugins: readonly Plugin[], options?: CompressionOptions) {
  const app = application([compression(options), ...plugins], {
    log: (error) => console.error((error as Error).message, (error as Error).cause),
  });
  await app.start();
  return (await serveHandler(t, app.handler)).port;
}

const DECODERS: Record<string, (body: Buffer) => Buffer> = { gzip: gunzipSync, br: brotliDecompressSync };
const bodyOf = ({ headers, body }: Answer): string =>
  (DECODERS[headers['content-encoding'] ?? '']?.(body) ?? body).toString();

for (const [path, accept, expected, options] of [
  // path, Accept-Encoding → coding, ETag, Vary
  ['/long', 'gzip', 'gzip "x+gzip" Accept-Encoding'],
  ['/long', 'br', 'br "x+br" Accept-Encoding'],
  ['/long', 'gzip, deflate, br, zstd', 'gzip "x+gzip" Accept-Encoding'],
  ['/long', 'gzip;q=0.5, br', 'br "x+br" Accept-Encoding'],
  ['/long', 'gzip, br', 'br "x+br" Accept-Encoding', { codings: ['br', 'gzip'] }],
  ['/long', 'br', '- "x" Accept-Encoding', { codings: ['gzip'] }],
  ['/long', 'deflate', '- "x" Accept-Encoding'],
  ['/long', 'gzip;q=0', '- "x" Accept-Encoding'],
  ['/long', undefined, '- "x" Accept-Encoding'],
  ['/weak', 'gzip', 'gzip W/"x" Accept-Encoding'],
  ['/untagged', 'gzip', 'gzip - Accept, accept-encoding'],
  ['/untagged', undefined, '- - Accept, accept-encoding'],
  ['/any', 'gzip', 'gzip - *'],
  ['/big', 'br', 'br - Accept-Encoding'],
  ['/short', 'gzip', '- - -'],
  ['/least', 'gzip', 'gzip - Accept-Encoding'],
  ['/short', 'gzip', 'gzip - Accept-Encoding', { threshold: 1023 }],
  ['/bytes', 'gzip', 'gzip - Accept-Encoding'],
  ['/drawing', 'gzip', 'gzip - Accept-Encoding'],
  ['/stream', 'gzip', 'gzip "s+gzip" Accept-Encoding'],
  ['/sized', 'gzip', 'gzip - Accept-Encoding'],
  ['/image', 'gzip', '- - -'],
  ['/coded', 'gzip', 'br - -'],
  ['/part', 'gzip', '- - -'],
  ['/digest', 'gzip', '- - -'],
  ['/fixed', 'gzip', '- - -'],
  ['/empty', 'gzip', '- - -'],
  ['/events', 'gzip', '- - -'],
  ['/secret', 'gzip', '- - -'],
] as const)
  test(`D103 GET ${path}, Accept-Encoding: ${accept ?? 'none'} → ${expected}`, async (t) => {
    const port = await portOf(t, [texts], options);
    const headers = accept === undefined ? {} : { 'Accept-Encoding': accept };
    const coded = await ask(port, { target: path, headers });
    const plain = await ask(port, { target: path });
    const { 'content-encoding': coding = '-', etag = '-', vary = '-' } = coded.headers;
    assert.equal(`${coding} ${etag} ${vary}`, expected);
    if (path === '/coded') return;
    assert.equal(coded.status, plain.status);
    if (coding === '-') return;
    assert.equal(bodyOf(coded), plain.text);
    assert.equal(coded.headers['content-type'], plain.headers['content-type']);
    assert.equal(coded.headers['accept-ranges'], undefined);
    if (coded.headers['transfer-encoding'] !== undefined) return;
    assert.equal(Number(coded.headers['content-length']), coded.body.length);
    assert.ok(coded.body.length < plain.body.length);
  });

const HEADS = '/long /untagged /stream /sized /short /coded /part /denser /tiny /file /nothing';
for (const path of HEADS.split(' '))
  test(`D103, RFC 9110 §9.3.2 – HEAD ${path} → the head of GET`, async (t) => {
    const port = await portOf(t, [texts], { threshold: path === '/tiny' ? 0 : 1024 });
    const headOf = async (method: string, headers: Record<string, string>) => {
      const answer = await ask(port, { method, target: path, headers });
      const { date: _, 'x-request-id': __, 'transfer-encoding': ___, ...others } = answer.headers;
      // Problems name their request.
      return [answer.status, answer.status === 404 ? others['content-type'] : others] as const;
    };
    for (const coding of ['gzip', 'br', 'identity']) {
      const headers = { 'Accept-Encoding': coding };
      const [status, full] = await headOf('GET', headers);
      assert.deepEqual(await headOf('HEAD', headers), [status, full]);
      const tag = typeof full === 'object' ? full['etag'] : undefined;
      for (const condition of ['If-None-Match', 'If-Match']) {
        const conditional = { ...headers, [condition]: tag ?? '"other"' };
        assert.deepEqual(await headOf('HEAD', conditional), await headOf('GET', conditional), condition);
      }
    }
  });

test('D103 bodies that compression does not make shorter → uncompressed, for GET and HEAD', async (t) => {
  const port = await portOf(t, [texts]);
  for (const target of ['/dense', '/denser'])
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await ask(port, { method, target, headers: { 'Accept-Encoding': 'gzip' } });
      assert.deepEqual([headers['content-encoding'], headers['vary']], [undefined, 'Accept-Encoding']);
      assert.match(headers['etag']!, /^"[de]"$/);
    }
});

test('D103 HEAD by the route of GET → the head of GET, before or after the plugin in the list', async () => {
  const only: Plugin = { name: 'only', routes: [route({ method: 'GET', path: 'only', handle: () => text(LONG) })] };
  for (const plugins of [
    [compression(), only, allowedMethods()],
    [allowedMethods(), compression(), only],
  ]) {
    const app = application(plugins);
    await app.start();
    const reply = await app.request('/only', { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
    assert.deepEqual([reply.status, reply.headers.get('Content-Encoding'), await reply.text()], [200, 'gzip', '']);
  }
});

/** Over a socket, a client reads a long item compressed, reads it again with a condition, and changes it. */
test('D103 the tag of a coded item, over a socket → 304, and If-Match with it changes the item', async (t) => {
  const port = await portOf(t, [todo()]);
  const client = new Client(port);
  const name = 'Walk the dog. '.repeat(100);
  const sent = (method: string, target: string, headers: Record<string, string>, body?: object): Question => ({
    method,
    target,
    headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const created = await client.ask(sent('POST', '/api/todo', { 'Accept-Encoding': 'gzip' }, { name }));
  const target = created.headers['location']!;
  const { key } = JSON.parse(bodyOf(created)) as { readonly key: string };
  const read = async (headers: Record<string, string>) => {
    const { status, headers: received } = await client.ask({ target, headers });
    return `${status} ${received['content-encoding'] ?? '-'} ${received['etag']?.replace(/^"[^"+]*/, '"tag')} ${received['vary'] ?? '-'}`;
  };
  const plainTag = (await client.ask({ target })).headers['etag']!;
  const tags = { plain: plainTag, gzip: plainTag.replace(/"$/, '+gzip"'), br: plainTag.replace(/"$/, '+br"') };
  assert.equal(created.headers['etag'] ?? tags.gzip, tags.gzip);
  for (const [accept, ifNoneMatch, expected] of [
    ['gzip', tags.gzip, '304 - "tag+gzip" Accept-Encoding'],
    ['gzip', `W/${tags.gzip}`, '304 - "tag+gzip" Accept-Encoding'],
    ['gzip', `"other", ${tags.plain}, ${tags.gzip}`, '304 - "tag+gzip" Accept-Encoding'],
    ['gzip', tags.plain, '304 - "tag" Accept-Encoding'],
    ['gzip', '*', '304 - "tag" Accept-Encoding'],
    ['gzip', tags.br, '200 gzip "tag+gzip" Accept-Encoding'],
    ['br', tags.br, '304 - "tag+br" Accept-Encoding'],
    ['identity', tags.gzip, '200 - "tag" Accept-Encoding'],
    ['identity', tags.plain, '304 - "tag" Accept-Encoding'],
    ['gzip', '"other+gzip"', '200 gzip "tag+gzip" Accept-Encoding'],
  ] as const)
    assert.equal(await read({ 'Accept-Encoding': accept, 'If-None-Match': ifNoneMatch }), expected, ifNoneMatch);
  assert.equal(await read({ 'If-Match': tags.br }), '200 - "tag" Accept-Encoding');

  const put = (headers: Record<string, string>) => client.ask(sent('PUT', target, headers, { key, name: `${name}!` }));
  assert.equal((await put({ 'If-Match': '"other+gzip"' })).status, 412);
  assert.equal((await put({ 'If-None-Match': tags.gzip })).status, 412);
  assert.equal((await put({ 'If-Match': tags.gzip })).status, 204);
  assert.equal((await put({ 'If-Match': tags.gzip, 'Accept-Encoding': 'gzip' })).status, 412);
  const now = (await client.ask({ target, headers: { 'Accept-Encoding': 'br' } })).headers['etag']!;
  assert.match(now, /\+br"$/);
  assert.equal((await client.ask({ method: 'DELETE', target, headers: { 'If-Match': now } })).status, 204);
  client.destroy();
});

test('D103 a range of a file, also with the tag of a compressed read → uncompressed bytes, never bytes of both', async (t) => {
  const port = await portOf(t, [texts]);
  const coded = await ask(port, { target: '/file', headers: { 'Accept-Encoding': 'gzip' } });
  assert.match(coded.headers['etag']!, /\+gzip"$/);
  const range = { 'Accept-Encoding': 'gzip', Range: 'bytes=0-1999' };
  const part = await ask(port, { target: '/file', headers: range });
  assert.deepEqual([part.status, part.headers['content-encoding'], part.body.length], [206, undefined, 2000]);
  const whole = await ask(port, { target: '/file', headers: { ...range, 'If-Range': coded.headers['etag']! } });
  assert.deepEqual([whole.status, whole.headers['content-encoding']], [200, 'gzip']);
});

test('D103 an unchanged item → compressed once for each coding, and again after a change', async () => {
  const app = application([compression(), cors({ origins: ['https://a.example'] }), todo()]);
  await app.start();
  const name = 'Walk the dog. '.repeat(100);
  await app.request('/api/todo', { method: 'POST', json: { name } });
  const replies = await Promise.all(
    ['gzip', 'gzip', 'br'].map((coding) => app.request('/api/todo', { headers: { 'Accept-Encoding': coding } })),
  );
  const bodies = await Promise.all(replies.map(async (reply) => Buffer.from(await reply.arrayBuffer())));
  assert.deepEqual(bodies[0], bodies[1]);
  assert.equal(gunzipSync(bodies[0]!).toString(), brotliDecompressSync(bodies[2]!).toString());
  await app.request('/api/todo', { method: 'POST', json: { name } });
  const changed = await app.request('/api/todo', { headers: { 'Accept-Encoding': 'gzip' } });
  assert.notEqual(changed.headers.get('ETag'), replies[0]!.headers.get('ETag'));
  assert.equal((JSON.parse(gunzipSync(Buffer.from(await changed.arrayBuffer())).toString()) as unknown[]).length, 3);
});

/** Serves the stream `source` over a socket. */
function streamed(t: TestContext, source: () => Readable, headers: Record<string, string> = {}): Promise<number> {
  const handle = () => stream(source(), { mediaType: 'text/csv', headers });
  return portOf(t, [{ name: 's', routes: [route({ method: 'GET', path: 's', handle })] }]);
}

for (const coding of ['gzip', 'br'] as const)
  test(`D103 a stream whose source waits, in ${coding} → its chunks so far can be read`, async (t) => {
    const more = gate();
    async function* waiting() {
      yield 'first\n';
      await more.passed;
      yield 'second\n';
    }
    const port = await streamed(t, () => Readable.from(waiting()));
    const reply = await fetch(`http://127.0.0.1:${port}/s`, { headers: { 'Accept-Encoding': coding } });
    const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
    assert.equal((await reader.read()).value, 'first\n');
    more.open();
    assert.equal((await reader.read()).value, 'second\n');
    assert.equal((await reader.read()).done, true);
  });

test('D103 a client that does not read a compressed stream, then leaves → its source is not read further, then destroyed', async (t) => {
  let reads = 0;
  const source = new Readable({
    read() {
      reads++;
      this.push(randomBytes(65_536));
    },
  });
  const port = await streamed(t, () => source);
  const client = new Client(port, { reads: false });
  await client.send({ target: '/s', headers: { 'Accept-Encoding': 'gzip' } });
  let before = 0;
  const isStill = (): boolean => reads > 1 && before === (before = reads);
  await until(isStill, 'the source is not read further', 20_000, 200);
  assert.ok(reads < 1000, `${reads} reads`);
  const closed = once(source, 'close');
  client.reset();
  await closed;
});

for (const [what, source, headers, expected] of [
  ['fails', () => Readable.from(failing(LONG, 'the disk is gone')), {}, /the disk is gone/],
  ['is too short', () => Readable.from([LONG]), { 'Content-Length': '99999' }, /of 2800 bytes for a Content-Length/],
  [
    'streams objects',
    () => Readable.from([LONG, { a: 1 }]),
    {},
    /argument must be of type string or an instance of Buffer/,
  ],
] as const)
  test(`D103 a stream that ${what} → the connection is cut, and the log has the error`, async (t) => {
    const port = await streamed(t, source, headers);
    const client = new Client(port);
    await client.send({ target: '/s', headers: { 'Accept-Encoding': 'gzip', Connection: 'close' } });
    await client.over();
    assert.match(logged.splice(0).join(), expected);
    // The reply is a 500 if nothing was sent yet, else a body without its end.
    assert.doesNotMatch(client.rest.toString('latin1'), /\r\n0\r\n\r\n$/);
  });

for (const [options, message] of [
  [{ threshold: -1 }, /Cannot compress replies with the threshold -1: give a whole number/],
  [{ codings: ['deflate'] }, /Cannot compress replies with "deflate": give gzip, br or both/],
  [{ treshold: 1 }, /did you mean "threshold"/],
] as const)
  test(`D103 compression(${JSON.stringify(options)}) → an error`, () =>
    assert.throws(() => compression(options as never), message));

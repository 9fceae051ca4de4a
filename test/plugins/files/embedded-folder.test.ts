/** Tests the files that are embedded in a program, and the replies with them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Context } from '../../../src/core/http/context.ts';
import type { Reply } from '../../../src/core/http/reply.ts';
import { fileReply } from '../../../src/plugins/files/file-reply.ts';
import { EmbeddedFolder } from '../../../src/plugins/files/folder.ts';
import { ask } from '../../support/file-request.ts';

const LONG = 'a long script; '.repeat(100);
const MODIFIED = Date.UTC(2026, 10, 22);
const folder = () =>
  new EmbeddedFolder(
    {
      modified: MODIFIED,
      files: {
        'long.js': { brotli: true, base64: brotliCompressSync(LONG).toString('base64') },
        'short.css': { brotli: false, base64: Buffer.from('a{}').toString('base64') },
      },
    },
    { headers: ['X-Set', 'yes'] },
  );

const served = folder();
const stage = async (context: Context, next: (context: Context) => Reply | Promise<Reply>): Promise<Reply> => {
  const file = await served.find(context.path.slice(1));
  return file === undefined ? next(context) : (await fileReply(context, file, served.root))!;
};

const asIs = (body: Buffer): Buffer => body;
for (const [path, headers, status, coding, text] of [
  ['/long.js', {}, 200, undefined, LONG],
  ['/long.js', { 'accept-encoding': 'br' }, 200, 'br', LONG],
  ['/long.js', { 'accept-encoding': 'gzip, deflate' }, 200, 'gzip', LONG],
  ['/long.js', { 'accept-encoding': 'gzip, deflate, br' }, 200, 'br', LONG],
  ['/long.js', { range: 'bytes=2-5' }, 206, undefined, 'long'],
  ['/short.css', { 'accept-encoding': 'br' }, 200, undefined, 'a{}'],
  ['/constructor', {}, 404, undefined, undefined],
  ['/__proto__', {}, 404, undefined, undefined],
] as const)
  test(`D19 – an embedded folder, ${path} with ${JSON.stringify(headers)} → ${status}, ${coding ?? 'no'} coding`, async () => {
    const answer = await ask([stage], path, headers);
    assert.deepEqual([answer.status, answer.headers['content-encoding']], [status, coding]);
    if (text === undefined) return;
    const decode = coding === 'br' ? brotliDecompressSync : coding === 'gzip' ? gunzipSync : asIs;
    assert.equal(decode(answer.body).toString(), text);
    assert.equal(answer.headers['x-set'], 'yes');
    assert.equal(answer.headers['vary'], path === '/long.js' ? 'Accept-Encoding' : undefined);
  });

test('RFC 9110 §8.8.3.3 – an embedded file in each coding → separate tags', async () => {
  const tags = await Promise.all(
    ['br', 'gzip', 'identity'].map(
      async (coding) => (await ask([stage], '/long.js', { 'accept-encoding': coding })).headers['etag'],
    ),
  );
  assert.equal(new Set(tags).size, 3);
});

test('files – two concurrent requests for an embedded file → decompressed once', async () => {
  const once = folder();
  const [first, second] = await Promise.all([once.find('long.js'), once.find('long.js')]);
  assert.equal(first, second);
  assert.equal(await once.find('long.js'), first);
});

test('files – an embedded file that is not Brotli → only requests for it fail', async () => {
  const files = { 'a.js': { brotli: true, base64: 'AAAA' } };
  const broken = new EmbeddedFolder({ modified: 0, files }, { headers: [] });
  for (let request = 0; request < 2; request++)
    await assert.rejects(async () => broken.find('a.js'), /unexpected end of file/);
});

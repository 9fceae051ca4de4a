/** Replies with a file: conditions, tags, dates, ranges, names, and files that are not found. */
import assert from 'node:assert/strict';
import { mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, mock, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { variant } from '../../../src/plugins/files/file-reply.ts';
import { file, staticFiles } from '../../../src/plugins/files/files.ts';
import { ask as askHttp } from '../../support/ask.ts';
import { ask } from '../../support/file-request.ts';
import { openDescriptors } from '../../support/open-descriptors.ts';
import { assertProblem } from '../../support/problem.ts';
import { serveHandler } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const root = temporaryFolder({
  'digits.txt': '0123456789',
  'empty.txt': '',
  'below/page.html': '<h1>page</h1>',
  'a b%41.pdf': 'pdf',
  '.env': 'SECRET',
  'below/.hidden': 'SECRET',
});
const outside = temporaryFolder({ 'secret.txt': 'SECRET' });
const OLD = 784111777;
utimesSync(join(root, 'digits.txt'), OLD, OLD);
symlinkSync(join(outside, 'secret.txt'), join(root, 'link.txt'));
mkdirSync(join(root, 'folder'));
const digits = join(root, 'digits.txt');

const get = (
  path: string | URL,
  options: Parameters<typeof file>[2] = {},
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
) => ask([(context) => file(context, path, options)], '/download', headers, method);

const { etag } = (await get(digits)).headers;
for (const [headers, status, body, range] of [
  [{}, 200, '0123456789', undefined],
  [{ Range: 'bytes=2-4', 'If-Range': etag! }, 206, '234', 'bytes 2-4/10'],
  [{ 'If-None-Match': etag!, Range: 'bytes=2-4' }, 304, '', undefined],
] as const)
  for (const method of ['GET', 'HEAD']) {
    const expected = method === 'HEAD' && status === 206 ? 200 : status;
    test(`D75 – ${method} of a file with ${JSON.stringify(headers)} → ${expected}`, async () => {
      const answer = await get(digits, {}, headers, method);
      assert.deepEqual([answer.status, answer.text], [expected, method === 'HEAD' ? '' : body]);
      assert.equal(answer.headers['etag'], etag);
      assert.equal(answer.headers['content-range'], expected === 206 ? range : undefined);
      const length = expected === 206 ? String(body.length) : '10';
      assert.equal(answer.headers['content-length'], status === 304 ? undefined : length);
      assert.equal(openDescriptors(root), 0);
    });
  }
for (const [headers, status] of [
  [{ 'If-Match': '"other"' }, 412],
  [{ 'If-Unmodified-Since': new Date(0).toUTCString() }, 412],
  [{ Range: 'bytes=10-' }, 416],
] as const)
  test(`D75 – a file with ${JSON.stringify(headers)} → ${status}, over HTTP`, async (t) => {
    const { port } = await serveHandler(t, (context) => file(context, digits));
    const answer = await askHttp(port, { headers });
    assertProblem(answer, status);
    assert.equal(answer.headers['content-range'], status === 416 ? 'bytes */10' : undefined);
    assert.equal(openDescriptors(root), 0);
  });

/** The service's clock is this many milliseconds ahead, so a new file is already old. */
let ahead = 0;
const realNow = Date.now;
mock.method(Date, 'now', () => realNow() + ahead);
beforeEach(() => {
  ahead = 0;
});

const HELD = 5 * 2 ** 20;
for (const [place, stage] of [
  ['file', (context) => file(context, context.path.slice(1), { root })],
  ['staticFiles', staticFiles({ root })],
] as const satisfies readonly (readonly [string, Stage])[]) {
  for (const length of [10, 2 ** 16, 2 ** 16 + 1, HELD])
    test(`D36 – ${place}, ${length} other bytes with the same modification time → another tag, no 304, and never bytes of both`, async () => {
      const name = `${place}${length}.bin`;
      const getFixed = (headers = {}, method = 'GET') => ask([stage], `/${name}`, headers, method);
      const fixed = join(root, name);
      const write = (character: string): number => {
        writeFileSync(fixed, character.repeat(length));
        utimesSync(fixed, OLD, OLD);
        return statSync(fixed).ctimeMs;
      };
      const changed = write('a');
      ahead = 5000;
      const { etag: former } = (await getFixed()).headers;
      assert.match(former!, /^"/);
      await until(() => write('b') !== changed, 'another change time');
      await until(async () => (await getFixed()).text.startsWith('b'), 'the other bytes');
      const { etag: now } = (await getFixed({}, 'HEAD')).headers;
      assert.notEqual(now, former);
      assert.equal((await getFixed({ 'if-none-match': former! })).status, 200);
      assert.equal((await getFixed({ 'if-match': former! })).status, 412);
      assert.equal((await getFixed({ range: 'bytes=5-', 'if-range': former! })).status, 200);
      assert.equal((await getFixed({ range: 'bytes=5-', 'if-range': now! })).status, 206);
    });

  test(`D36 – ${place}, a large file that changes twice in an instant → HEAD has the tag of the last GET`, async (t) => {
    const instant = performance.now();
    t.mock.method(performance, 'now', () => instant);
    const name = `${place}-instant.bin`;
    ahead = 5000;
    for (const character of 'abc') {
      writeFileSync(join(root, name), character.repeat(HELD));
      utimesSync(join(root, name), OLD, OLD + character.charCodeAt(0));
      const read = await ask([stage], `/${name}`);
      assert.ok(read.text.startsWith(character));
      assert.equal((await ask([stage], `/${name}`, {}, 'HEAD')).headers.etag, read.headers.etag);
    }
  });

  test(`D36 – ${place}, a large file that has just changed → a weak tag and no date; later a strong tag and a date`, async () => {
    writeFileSync(join(root, `${place}.bin`), 'x'.repeat(HELD));
    const getNew = (headers = {}, method = 'GET') => ask([stage], `/${place}.bin`, headers, method);
    const head = async () => (await getNew({}, 'HEAD')).headers;
    // The result must not depend on how long the reading takes.
    ahead = -60_000;
    const { etag: fresh, 'last-modified': none } = await head();
    assert.match(fresh!, /^W\//);
    assert.equal(none, undefined);
    ahead = 5000;
    await until(async () => (await head())['last-modified'] !== undefined, 'the date');
    const { etag: tag, 'last-modified': date } = await head();
    assert.match(tag!, /^"/);
    assert.equal((await getNew({ 'if-match': tag! })).status, 200);
    assert.equal((await getNew({ range: 'bytes=0-4', 'if-range': date! })).text, 'xxxxx');
  });
}

for (const [what, numbers, isStrong] of [
  ['a separate change time', { ctimeMs: 784111777123.5, ino: 7 }, true],
  ['a change time in whole seconds, as in a disk image', { ctimeMs: 784111777000, ino: 7 }, false],
  ['no change time', { ctimeMs: 0, ino: 7 }, false],
  ['no inode number, as in an archive', { ctimeMs: 784111777123.5, ino: 0 }, false],
  ['only a length and a modification time', {}, false],
] as const)
  test(`D36 – a large file with ${what} → ${isStrong ? 'a strong' : 'a weak'} tag`, () => {
    const source = { name: 'a', mediaType: 'text/plain', length: 10, mtimeMs: OLD * 1000, headers: [] };
    assert.equal(variant({ ...source, ...numbers }).etag?.startsWith('"'), isStrong);
  });

for (const [seconds, date] of [
  [-1, undefined],
  [0, undefined],
  [1, undefined],
  [Date.UTC(1980) / 1000, undefined],
  [Date.UTC(1981) / 1000 - 1, undefined],
  [Date.UTC(1981) / 1000, 'Thu, 01 Jan 1981 00:00:00 GMT'],
  [OLD + 0.9, 'Sun, 06 Nov 1994 08:49:37 GMT'],
  [Date.UTC(2100) / 1000, undefined],
] as const)
  test(`D36 – a file that was modified ${seconds} s after 1970 → ${date ?? 'no date, and no condition on a date matches'}`, async () => {
    writeFileSync(join(root, 'dated.txt'), 'dated');
    utimesSync(join(root, 'dated.txt'), seconds, seconds);
    const stage = staticFiles({ root });
    const since = { 'If-Modified-Since': new Date(seconds * 1000).toUTCString() };
    for (const request of [
      (headers = {}) => get(join(root, 'dated.txt'), {}, headers),
      (headers = {}) => ask([stage], '/dated.txt', headers),
    ]) {
      assert.equal((await request()).headers['last-modified'], date);
      assert.equal((await request(since)).status, date === undefined ? 200 : 304);
      const part = (await request({ Range: 'bytes=0-0', 'If-Range': since['If-Modified-Since'] })).status;
      assert.equal(part, date ? 206 : 200);
    }
  });

for (const [path, from, body, type] of [
  ['digits.txt', root, '0123456789', 'text/plain; charset=utf-8'],
  ['digits.txt', pathToFileURL(`${root}/`), '0123456789', 'text/plain; charset=utf-8'],
  ['below/page.html', root, '<h1>page</h1>', 'text/html; charset=utf-8'],
  ['a b%41.pdf', root, 'pdf', 'application/pdf'],
  ['empty.txt', root, '', 'text/plain; charset=utf-8'],
  [pathToFileURL(join(root, 'a b%41.pdf')), undefined, 'pdf', 'application/pdf'],
  [join(root, '.env'), undefined, 'SECRET', 'application/octet-stream'],
  [join(root, 'link.txt'), undefined, 'SECRET', 'text/plain; charset=utf-8'],
  [join(root, 'below', '..', 'digits.txt'), undefined, '0123456789', 'text/plain; charset=utf-8'],
] as const)
  test(`D75 – the file ${String(path).replace(root, '')} ${from === undefined ? 'of the program' : 'below a folder'} → 200`, async () => {
    const { status, text, headers } = await get(path, from === undefined ? {} : { root: from });
    assert.deepEqual([status, text, headers['content-type']], [200, body, type]);
    assert.equal(headers['content-length'], String(body.length));
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
  });

for (const [path, below] of [
  ['absent.txt', true],
  ['', true],
  ['.', true],
  ['..', true],
  ['folder', true],
  ['below/', true],
  ['.env', true],
  ['below/.hidden', true],
  ['link.txt', true],
  ['/etc/passwd', true],
  [digits, true],
  [pathToFileURL(digits), true],
  ['below/../digits.txt', true],
  [`../${outside.split('/').at(-1)}/secret.txt`, true],
  ['below\\page.html', true],
  ['%64igits.txt', true],
  ['x'.repeat(5000), true],
  [join(root, 'absent.txt'), false],
  [join(root, 'folder'), false],
  [root, false],
  ['/', false],
] as const)
  test(`D75 – the file ${JSON.stringify(String(path).replace(root, '…').slice(0, 40))} ${below ? 'below a folder' : 'of the program'} → 404, without details`, async () => {
    const answer = await get(path, below ? { root } : {});
    assert.deepEqual([answer.status, JSON.parse(answer.text).detail], [404, 'The file does not exist']);
    assert.equal(openDescriptors(root), 0);
  });

test('D75 – a media type, a file name and headers in the options → sent in the reply', async () => {
  const { headers } = await get(digits, {
    mediaType: 'text/csv',
    downloadAs: 'Übersicht.csv',
    headers: { 'cache-control': 'private, max-age=60', 'content-security-policy': 'sandbox', 'X-Custom': '1' },
  });
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
  const disposition = 'attachment; filename="_bersicht.csv"; filename*=UTF-8\'\'%C3%9Cbersicht.csv';
  assert.equal(headers['content-disposition'], disposition);
  assert.equal(headers['cache-control'], 'private, max-age=60');
  assert.equal(headers['content-security-policy'], 'sandbox');
  assert.equal(headers['x-custom'], '1');
});

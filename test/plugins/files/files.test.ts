/** Tests the replies with static files: the served names, preconditions, ranges and codings. */
import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { staticFiles } from '../../../src/plugins/files/files.ts';
import { ask } from '../../support/file-request.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SCRIPT = `console.log(${JSON.stringify('x'.repeat(5000))});`;
const root = temporaryFolder({
  'index.html': '<h1>root</h1>',
  'digits.txt': '0123456789',
  'empty.txt': '',
  'Case.css': 'b{}',
  'a b.txt': 'blank',
  'dir/index.html': '<h1>dir</h1>',
  'dir/page.html': 'page',
  'bare/file.txt': 'x',
  '.env': 'SECRET',
  '.git/config': 'SECRET',
  'dir/.hidden': 'SECRET',
  '.well-known/x.txt': 'known',
  'app.js': SCRIPT,
  'app.js.br': brotliCompressSync(SCRIPT),
  'app.js.gz': gzipSync(SCRIPT),
  'only.css': 'b{}',
  'only.css.gz': gzipSync('b{}'),
  'old.js': 'new()',
  'old.js.br': brotliCompressSync('old()'),
});
for (const name of ['index.html', 'empty.txt', 'Case.css', 'a b.txt', 'dir/index.html', 'dir/page.html', 'digits.txt'])
  utimesSync(join(root, name), 784111777, 784111777);
utimesSync(join(root, 'old.js.br'), 784111777, 784111777);
const stage = staticFiles({ root });
const get = (path: string, headers?: Record<string, string>, method?: string) => ask([stage], path, headers, method);

const served: readonly (readonly [path: string, body: string, mediaType: string])[] = [
  ['/digits.txt', '0123456789', 'text/plain; charset=utf-8'],
  ['/empty.txt', '', 'text/plain; charset=utf-8'],
  ['/', '<h1>root</h1>', 'text/html; charset=utf-8'],
  ['/index.html', '<h1>root</h1>', 'text/html; charset=utf-8'],
  ['/dir/', '<h1>dir</h1>', 'text/html; charset=utf-8'],
  ['/dir/page.html', 'page', 'text/html; charset=utf-8'],
  ['/a%20b.txt', 'blank', 'text/plain; charset=utf-8'],
  ['/%64igits.txt', '0123456789', 'text/plain; charset=utf-8'],
  ['/Case.css', 'b{}', 'text/css; charset=utf-8'],
];
for (const [path, body, mediaType] of served) {
  test(`D36, RFC 9110 §9.3.2 – GET ${path} → the file, HEAD the same header lines`, async () => {
    const { status, headers, text } = await get(path);
    const summary = [status, text, headers['content-type'], headers['content-length']];
    assert.deepEqual(summary, [200, body, mediaType, String(body.length)]);
    assert.match(headers['etag']!, /^"[^"]+"$/);
    assert.ok(headers['last-modified']);
    assert.equal(headers['content-security-policy'], undefined, 'files of a folder have no Content-Security-Policy');
    assert.deepEqual((await get(path, {}, 'HEAD')).headers, headers);
  });
}

for (const [method, path, because] of [
  ['GET', '/absent.css', 'absent'],
  ['GET', '/dir', 'a folder without its slash'],
  ['GET', '/bare/', 'a folder without an index'],
  ['GET', '/digits.txt/', 'a file is not a folder'],
  ['GET', '/digits.txt/x', 'a file has no files below it'],
  ['GET', '/case.css', 'the case of file names matters'],
  ['GET', '/DIR/page.html', 'the case of folder names matters'],
  ['GET', '/.env', 'a dot-file'],
  ['GET', '/.git/config', 'in a dot-folder'],
  ['GET', '/dir/.hidden', 'a dot-file below'],
  ['GET', '/.well-known/x.txt', 'a well-known file, which is not allowed by default'],
  ['GET', '/dir//page.html', 'an empty segment'],
  ['GET', '//etc/passwd', 'an empty segment at the start'],
  ['GET', '/dir//', 'an empty segment at the end'],
  ['GET', '/%2eenv', 'an encoded dot'],
  ['GET', '/dir/%2E%2e/digits.txt', 'an encoded `..`'],
  ['GET', '/..%2fetc/passwd', '`..` with an encoded slash'],
  ['GET', '/digits%00.txt', 'U+0000'],
  ['GET', '/a%2520b.txt', 'decoded once'],
  ['GET', '/dir%2fpage.html', 'an encoded slash'],
  ['GET', '/dir%5cpage.html', 'a backslash'],
  ['GET', `/${'x'.repeat(5000)}`, 'a name that is too long for a file'],
  ['GET', `${'/x'.repeat(3000)}`, 'a path that is too deep for a file'],
  ['POST', '/digits.txt', 'another method'],
  ['OPTIONS', '/digits.txt', 'another method'],
  ['DELETE', '/digits.txt', 'another method'],
  ['get', '/digits.txt', 'methods are case-sensitive'],
] as const) {
  test(`D36 – ${method} ${path.slice(0, 30)} → the next stage (${because})`, async () => {
    const { status, text } = await get(path, {}, method);
    assert.equal(status, 404);
    assert.ok(!text.includes(root) && !text.includes('ENOENT') && !text.includes('SECRET'));
  });
}

test('D36 – the prefix ignores case', async () => {
  const assets = staticFiles({ root, at: 'assets' });
  const status = async (path: string) => (await ask([assets], path)).status;
  for (const path of ['/assets/digits.txt', '/ASSETS/digits.txt', '/%41ssets/digits.txt'])
    assert.equal(await status(path), 200, path);
  const slashed = staticFiles({ root, at: '/Assets/' });
  assert.equal((await ask([slashed], '/assets/digits.txt')).status, 200);
  for (const path of ['/digits.txt', '/assets', '/assetsdigits.txt', '/assets%2fdigits.txt'])
    assert.equal(await status(path), 404, path);
});

test('options – a maximum age', async () => {
  const site = [staticFiles({ root, maxAge: 60 })];
  assert.equal((await ask(site, '/digits.txt')).headers['cache-control'], 'public, max-age=60');
  assert.equal((await get('/')).headers['cache-control'], 'no-cache');
});

const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';
const EARLIER = 'Sun, 06 Nov 1994 08:49:36 GMT';
const LATER = 'Sun, 06 Nov 1994 08:49:38 GMT';
const digits = await get('/digits.txt');
const etag = digits.headers['etag']!;

for (const [headers, status, body, because] of [
  [{ 'if-none-match': etag }, 304, '', 'the client has it'],
  [{ 'if-none-match': `W/${etag}` }, 304, '', 'weakly too'],
  [{ 'if-none-match': `"x", W/${etag} ,"y"` }, 304, '', 'one of a list'],
  [{ 'if-none-match': '*' }, 304, '', 'anything'],
  [{ 'if-none-match': etag.toUpperCase() }, 200, '0123456789', 'tags are case-sensitive'],
  [{ 'if-none-match': etag.replaceAll('"', '') }, 200, '0123456789', 'a tag has quotes'],
  [{ 'if-none-match': '' }, 200, '0123456789', 'an empty list'],
  [{ 'if-none-match': '"x"' }, 200, '0123456789', 'another'],
  [{ 'if-modified-since': DATE }, 304, '', 'unchanged since'],
  [{ 'if-modified-since': LATER }, 304, '', 'unchanged since later'],
  [{ 'if-modified-since': EARLIER }, 200, '0123456789', 'changed since'],
  [{ 'if-modified-since': '1994-11-06T08:49:38Z' }, 200, '0123456789', 'not an HTTP date: ignored'],
  [{ 'if-none-match': '"x"', 'if-modified-since': DATE }, 200, '0123456789', 'If-None-Match overrides the date'],
  [{ 'if-none-match': etag, 'if-modified-since': EARLIER }, 304, '', 'it overrides the date here too'],
  [{ 'if-unmodified-since': DATE }, 200, '0123456789', 'unchanged'],
  [{ 'if-unmodified-since': EARLIER }, 412, '', 'changed since'],
  [{ 'if-unmodified-since': 'yesterday' }, 200, '0123456789', 'not an HTTP date: ignored'],
  [{ 'if-match': '"x"' }, 412, '', 'not what the client thinks'],
  [{ 'if-match': etag }, 200, '0123456789', 'what the client thinks'],
  [{ 'if-match': etag, 'if-unmodified-since': EARLIER }, 200, '0123456789', 'If-Match overrides the date'],
  [{ 'if-match': '"x"', 'if-none-match': etag }, 412, '', 'If-Match is evaluated first'],
  [{ 'if-match': '*', 'if-none-match': etag }, 304, '', 'then If-None-Match'],
  [{ range: 'bytes=2-4' }, 206, '234', 'a part'],
  [{ range: 'bytes=10-' }, 416, '', 'behind the end'],
  [{ range: 'bytes=2-4', 'if-range': etag }, 206, '234', 'unchanged since the first part'],
  [{ range: 'bytes=2-4', 'if-range': DATE }, 206, '234', 'unchanged by date'],
  [{ range: 'bytes=2-4', 'if-range': '"x"' }, 200, '0123456789', 'changed since the first part'],
  [{ range: 'bytes=2-4', 'if-range': LATER }, 200, '0123456789', 'a later date is a different date'],
  [{ range: 'bytes=2-4', 'if-range': 'soon' }, 200, '0123456789', 'neither tag nor date'],
  [{ range: 'bytes=2-4', 'if-none-match': etag }, 304, '', 'conditions come before ranges'],
] as const) {
  test(`RFC 9110 §13, §14 – ${JSON.stringify(headers)} → ${status} (${because})`, async () => {
    const answer = await get('/digits.txt', headers);
    assert.equal(answer.status, status);
    if (status < 300) assert.deepEqual([answer.text, answer.headers['content-length']], [body, String(body.length)]);
    if (status === 206) assert.match(answer.headers['content-range']!, /^bytes \d-\d\/10$/);
    if (status === 416) assert.equal(answer.headers['content-range'], 'bytes */10');
    const { etag: tag, 'content-length': length } = answer.headers;
    if (status === 304) assert.deepEqual([answer.body.length, tag, length], [0, etag, undefined]);
    if (status >= 412) assert.equal(answer.headers['content-type'], 'application/problem+json');
  });
}

test('RFC 9110 §14.2 – HEAD with a range → the whole file, because ranges apply only to GET', async () => {
  const { status, headers } = await get('/digits.txt', { range: 'bytes=2-4' }, 'HEAD');
  assert.deepEqual([status, headers['content-length']], [200, '10']);
});

type Coding = string | undefined;
const codings: readonly (readonly [path: string, accept: Coding, coding: Coding, vary: boolean])[] = [
  ['/app.js', undefined, undefined, true],
  ['/app.js', 'gzip, deflate, br', 'br', true],
  ['/app.js', 'gzip', 'gzip', true],
  ['/app.js', 'br;q=0, gzip;q=0', undefined, true],
  ['/only.css', 'br', undefined, true],
  ['/only.css', 'br, gzip', 'gzip', true],
  ['/digits.txt', 'br, gzip', undefined, false],
  ['/app.js.br', 'br, gzip', undefined, false],
];
for (const [path, accept, coding, vary] of codings) {
  test(`delivery – GET ${path} with Accept-Encoding: ${accept} → ${coding ?? 'uncompressed'}`, async () => {
    const { status, headers, body } = await get(path, accept === undefined ? {} : { 'accept-encoding': accept });
    const summary = [status, headers['content-encoding'], headers['vary']];
    assert.deepEqual(summary, [200, coding, vary ? 'Accept-Encoding' : undefined]);
    assert.equal(headers['content-length'], String(body.length));
  });
}

test('RFC 9110 §8.8.3.3 – each coding has a separate entity tag, and 304 has Vary', async () => {
  const inCoding = (coding: string) => get('/app.js', { 'accept-encoding': coding });
  const answers = await Promise.all(['identity', 'br', 'gzip'].map(inCoding));
  assert.equal(new Set(answers.map(({ headers }) => headers['etag'])).size, 3);
  const br = answers[1]!.headers['etag']!;
  const again = await get('/app.js', { 'accept-encoding': 'br', 'if-none-match': br });
  assert.deepEqual([again.status, again.headers['vary']], [304, 'Accept-Encoding']);
  assert.equal((await get('/app.js', { 'accept-encoding': 'gzip', 'if-none-match': br })).status, 200);
});

test('RFC 9110 §14.2 – a range of a compressed file is cut from the compressed bytes', async () => {
  const whole = await get('/app.js', { 'accept-encoding': 'br' });
  const range = { range: 'bytes=2-5', 'if-range': whole.headers['etag']! };
  const part = await get('/app.js', { 'accept-encoding': 'br', ...range });
  assert.deepEqual([part.status, part.headers['content-encoding'], part.body], [206, 'br', whole.body.subarray(2, 6)]);
});

test('delivery – a compressed file older than its original is ignored', async () => {
  const { headers, text } = await get('/old.js', { 'accept-encoding': 'br' });
  assert.deepEqual([text, headers['content-encoding'], headers['vary']], ['new()', undefined, undefined]);
});

/** Tests links, pipes and devices in a static folder, and files that change while they are served. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { staticFiles } from '../../../src/plugins/files/files.ts';
import { ask, fileContext } from '../../support/file-request.ts';
import { openDescriptors } from '../../support/open-descriptors.ts';
import { SOURCE_LOADER } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const LARGE = 5 * 2 ** 20;
const large = Buffer.alloc(LARGE, 'abcdefghij');

const top = temporaryFolder({
  'public/index.html': 'root',
  'public/kept/a.txt': 'inside',
  'public/large.bin': large,
  'public/large.bin.gz': 'small',
  'public-private/secret.txt': 'SECRET',
  'secret.txt': 'SECRET',
});
const root = join(top, 'public');
const link = (target: string, name: string): void => {
  symlinkSync(target, join(root, name));
};
link('../secret.txt', 'out.txt');
link('../public-private', 'sibling');
link('/etc', 'etc');
link('/dev/zero', 'zero');
link('out.txt', 'twice.txt');
link('loop', 'loop');
link('nowhere', 'dangling.txt');
link('kept/a.txt', 'in.txt');
link('kept', 'folder');
link('..data', 'mounted.txt');
writeFileSync(join(root, '..data'), 'mounted');
execFileSync('mkfifo', [join(root, 'pipe'), join(root, 'index.html.br')]);
const socket = createServer().listen(join(root, 'socket'));
socket.unref();

const stage = staticFiles({ root });
const get = (path: string, headers?: Record<string, string>, method?: string) => ask([stage], path, headers, method);

for (const [path, because] of [
  ['/out.txt', 'a link out of the folder'],
  ['/sibling/secret.txt', 'a link to a folder whose name starts with the name of the root'],
  ['/etc/passwd', 'a link to a folder elsewhere'],
  ['/zero', 'a device'],
  ['/twice.txt', 'a link to a link that leaves the root'],
  ['/loop', 'a link to itself'],
  ['/dangling.txt', 'a link to nothing'],
  ['/pipe', 'a pipe'],
  ['/pipe/', 'a pipe as a folder'],
  ['/socket', 'a socket'],
  ['/../secret.txt', 'a path with `..`'],
  ['/kept/../../secret.txt', 'a path with `..` after a folder'],
] as const) {
  test(`D36 – GET ${path} → the next stage (${because})`, async () => {
    for (const _ of ['first request', 'second request']) {
      const { status, text } = await get(path);
      assert.equal(status, 404);
      assert.ok(!/SECRET|root:|ENO|ELO|EA/.test(text) && !text.includes(root), text);
    }
  });
}

test('D36 – links that stay inside → followed', async () => {
  for (const [path, text] of [
    ['/in.txt', 'inside'],
    ['/folder/a.txt', 'inside'],
    ['/mounted.txt', 'mounted'],
  ] as const)
    assert.equal((await get(path)).text, text, path);
});

test('static files – a pipe with the name of the compressed variant → the uncompressed file', async () => {
  assert.equal((await get('/', { 'accept-encoding': 'br' })).text, 'root');
});

test('D36 – a root that is a link → its files', async () => {
  symlinkSync(root, join(top, 'current'));
  assert.equal((await ask([staticFiles({ root: join(top, 'current') })], '/kept/a.txt')).text, 'inside');
});

test('D36 – a root that does not exist → the next stage, until it is created', async () => {
  const late = join(top, 'late');
  const site = [staticFiles({ root: late })];
  assert.equal((await ask(site, '/a.txt')).status, 404);
  mkdirSync(late);
  writeFileSync(join(late, 'a.txt'), 'here');
  await until(async () => (await ask(site, '/a.txt')).text === 'here', 'the file of a new folder');
});

const superuser = process.getuid?.() === 0 ? 'the superuser may read everything' : false;
test('D36 – a file that may not be read → the next stage', { skip: superuser }, async () => {
  writeFileSync(join(root, 'locked.txt'), 'SECRET');
  chmodSync(join(root, 'locked.txt'), 0);
  assert.equal((await get('/locked.txt')).status, 404);
});

const put = (name: string, text: string): void => {
  writeFileSync(join(root, name), text);
};

const putTwice = (name: string): void => {
  put(name, 'a'.repeat(11));
  put(name, 'b'.repeat(11));
};

put('new', 'three');
const live = join(root, 'live.txt');
const CHANGES: readonly (readonly [what: string, change: () => void, text?: string])[] = [
  ['rewritten', () => put('live.txt', 'two, longer'), 'two, longer'],
  ['rewritten with as many bytes, twice at once', () => putTwice('live.txt'), 'b'.repeat(11)],
  ['replaced by renaming', () => renameSync(join(root, 'new'), live), 'three'],
  ['removed', () => unlinkSync(live)],
  ['created again', () => put('live.txt', 'four'), 'four'],
  ['replaced by a link that leaves the root', () => link('../secret.txt', 'live.txt')],
  ['replaced by a pipe', () => execFileSync('mkfifo', [live])],
  ['replaced by a folder', () => mkdirSync(live)],
  ['emptied', () => put('live.txt', ''), ''],
];
test('speed – a cached file is read again after it changes on the disk', async (t) => {
  put('live.txt', 'one');
  assert.equal((await get('/live.txt')).text, 'one');
  let tag = (await get('/live.txt')).headers['etag'];
  for (const [what, change, text] of CHANGES) {
    await t.test(`${what} → ${text === undefined ? 404 : 200}`, async () => {
      if (/replaced by a|emptied/.test(what)) rmSync(live, { recursive: true, force: true });
      change();
      await until(async () => {
        const answer = await get('/live.txt');
        return text === undefined ? answer.status === 404 : answer.status === 200 && answer.text === text;
      }, what);
      const now = (await get('/live.txt')).headers['etag'];
      if (text !== undefined) assert.notEqual(now, tag);
      tag = now;
    });
  }
});

test('D36 – a folder that is replaced by a link out of the root again and again → the file inside or 404, never the file outside', async () => {
  mkdirSync(join(top, 'outside'));
  mkdirSync(join(root, 'turning'));
  writeFileSync(join(top, 'outside/f.txt'), 'SECRET');
  writeFileSync(join(root, 'turning/f.txt'), 'inside');
  link('../outside', 'turned');
  const moves = [
    ['turning', 'kept.real'],
    ['turned', 'turning'],
    ['kept.real', 'turned'],
  ] as const;
  const swap = (): void => {
    for (const [from, to] of moves) renameSync(join(root, from), join(root, to));
  };
  const replies = new Set<string>();
  for (const end = performance.now() + 1500; performance.now() < end; ) {
    // A new folder each time, so that nothing is cached.
    const reply = ask([staticFiles({ root })], '/turning/f.txt');
    let answered = false;
    void reply.then(() => {
      answered = true;
    });
    while (!answered) {
      swap();
      await new Promise(setImmediate);
    }
    const { status, text } = await reply;
    replies.add(status === 200 ? text : String(status));
  }
  assert.ok(!replies.has('SECRET') && !replies.has('500'), [...replies].join());
});

test('speed – a compressed variant of a cached file → used once it is added, and no longer once it is removed', async () => {
  put('late.css', 'a{}');
  const coding = async () => (await get('/late.css', { 'accept-encoding': 'br' })).headers['content-encoding'];
  assert.equal(await coding(), undefined);
  writeFileSync(join(root, 'late.css.br'), brotliCompressSync('a{}'));
  await until(async () => (await coding()) === 'br', 'the compressed file');
  unlinkSync(join(root, 'late.css.br'));
  await until(async () => (await coding()) === undefined, 'the file as it is');
});

test('speed – many concurrent requests after a change → the same state for all', async () => {
  put('crowd.txt', 'x'.repeat(100_000));
  await get('/crowd.txt');
  put('crowd.txt', 'y'.repeat(100_000));
  await until(async () => (await get('/crowd.txt')).text.startsWith('y'), 'the change');
  const answers = await Promise.all(Array.from({ length: 50 }, () => get('/crowd.txt')));
  assert.equal(new Set(answers.map(({ headers }) => headers['etag'])).size, 1);
});

test('D36 – a file in an archive, whose handle has `read` but not `readFile` → its bytes', async (t) => {
  const handle = await open(join(root, 'kept/a.txt'));
  t.mock.method(Object.getPrototypeOf(handle), 'readFile', () =>
    Promise.reject(new Error('EBADF: bad file descriptor')),
  );
  await handle.close();
  assert.equal((await ask([staticFiles({ root })], '/kept/a.txt')).text, 'inside');
});

for (const [headers, status, from, to] of [
  [{}, 200, 0, LARGE],
  [{ range: 'bytes=100-70099' }, 206, 100, 70100],
  [{ range: 'bytes=-5' }, 206, LARGE - 5, LARGE],
  [{ range: 'bytes=0-0' }, 206, 0, 1],
  [{ range: `bytes=${LARGE}-` }, 416, 0, 0],
] as const) {
  test(`speed – a large file with ${JSON.stringify(headers)} → ${status}, streamed`, async () => {
    const answer = await get('/large.bin', headers);
    assert.equal(answer.status, status);
    if (status === 416) return assert.equal(openDescriptors(root), 0);
    assert.equal(answer.headers['content-length'], String(to - from));
    assert.ok(answer.body.equals(large.subarray(from, to)));
    await until(() => openDescriptors(root) === 0, 'the descriptor closed');
  });
}

test('speed – HEAD and 304 of a large file → no descriptor is opened', async () => {
  const head = await get('/large.bin', {}, 'HEAD');
  assert.deepEqual([head.headers['content-length'], head.reply.body], [String(LARGE), undefined]);
  assert.equal((await get('/large.bin', { 'if-none-match': head.headers['etag']! })).status, 304);
  assert.equal(openDescriptors(root), 0);
});

test('speed – a large file with a small compressed variant → the variant from memory', async () => {
  const { text, headers } = await get('/large.bin', { 'accept-encoding': 'gzip' });
  assert.deepEqual([text, headers['content-encoding']], ['small', 'gzip']);
});

test('hardening – a file that grows while it is sent → only the announced length is sent', async () => {
  put('log.txt', 'x'.repeat(LARGE));
  const reply = await stage(fileContext('/log.txt'), () => assert.fail());
  appendFileSync(join(root, 'log.txt'), 'more');
  let sent = 0;
  for await (const chunk of reply.body as AsyncIterable<Buffer>) sent += chunk.length;
  assert.equal(sent, LARGE);
});

const limitless = process.platform === 'win32' ? 'this system has no limit to set' : false;
test('abuse – no descriptor left → 503 for an uncached file, 200 for a cached file, later 200 for both', {
  skip: limitless,
}, () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'files-')));
  try {
    writeFileSync(join(folder, 'held.txt'), 'held');
    writeFileSync(join(folder, 'other.txt'), 'other');
    const script = new URL('../../support/out-of-descriptors.ts', import.meta.url).pathname;
    const limited = 'ulimit -n 64; exec "$@"';
    const words = ['-c', limited, 'sh', process.execPath, ...SOURCE_LOADER, script, folder];
    const out = execFileSync('sh', words, { encoding: 'utf8' });
    assert.deepEqual(JSON.parse(out), { held: 200, other: 503, retryAfter: '1', leaks: false, later: 200 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The vendored page: unmodified, complete, and nothing in it from elsewhere. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { mediaTypeOf } from '../../src/http/headers/media-types.ts';
import { swaggerPage } from '../../src/plugins/swagger-page/swagger-page.ts';
import { ask } from '../support/file-request.ts';
import { trackedFiles } from './source-files.ts';

const FOLDER = new URL('../../static/swagger-ui/', import.meta.url);
const VERSION = '5.35.0';
const read = (name: string): Buffer => readFileSync(new URL(name, FOLDER));
const stages = swaggerPage().stages!;
const get = (path: string) => ask(stages, path, { 'accept-encoding': 'gzip, deflate, br' });

const sums = new Map(
  read('SHA256SUMS')
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split('  ').reverse() as [string, string]),
);

test('page – SHA256SUMS covers every file and is right', () => {
  const tracked = (trackedFiles() ?? []).filter((path) => /^static\/swagger-ui\/(?!SHA256SUMS$)/.test(path));
  assert.deepEqual(
    tracked.filter((path) => !sums.has(basename(path))),
    [],
  );
  assert.ok(sums.size > 15);
  for (const [name, sum] of sums) {
    assert.equal(createHash('sha256').update(read(name)).digest('hex'), sum, `${name} has changed: npm run vendor`);
  }
});

test('page – the version is the one pinned, in VERSION, in the script that vendors and in the bundle', () => {
  const script = readFileSync(new URL('../../static/vendor-swagger-ui.mjs', import.meta.url), 'utf8');
  assert.match(read('VERSION').toString(), new RegExp(`^swagger-ui-dist ${VERSION}\\nsha512-`));
  assert.ok(script.includes(`'${VERSION}'`) && script.includes(read('VERSION').toString().split('\n')[1]!));
  assert.ok(read('swagger-ui-bundle.js').includes(VERSION));
});

test('page – the licences travel along', async () => {
  for (const name of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']) {
    assert.equal((await get(`/swagger/ui/${name}`)).status, 200, name);
  }
});

test('delivery – what lies compressed is the file beside it', () => {
  const compressed = [...sums.keys()].filter((name) => /\.(?:br|gz)$/.test(name));
  assert.ok(compressed.includes('swagger-ui-bundle.js.br') && compressed.includes('swagger-ui.css.gz'));
  for (const name of compressed) {
    const unpack = name.endsWith('.br') ? brotliDecompressSync : gunzipSync;
    assert.ok(unpack(read(name)).equals(read(name.slice(0, -3))), name);
  }
});

const own = ['index.html', 'init.js', 'custom.css'].map((name) => [name, read(name).toString()] as const);

for (const [name, text] of own) {
  test(`page – ${name} names no other host`, () => {
    assert.doesNotMatch(text, /https?:\/\/|["'(]\/\//);
  });
}

test('D18 – the page has no inline script and no inline style', () => {
  const page = read('index.html').toString();
  assert.doesNotMatch(page, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=/i);
});

for (const address of ['/swagger/ui', '/swagger/ui/', '/swagger/ui/index.html']) {
  test(`page – every link of the page at ${address} → 200, its media type, at most 400 kB in all`, async () => {
    const page = await get(address);
    const links = [...page.text.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(
      ([, link]) => new URL(link!, `http://here${address}`),
    );
    assert.ok(links.length >= 5);
    let moved = page.body.length;
    for (const { host, pathname } of links) {
      assert.equal(host, 'here', 'no absolute address');
      const { status, headers, body } = await get(pathname);
      assert.deepEqual([status, headers['content-type']], [200, mediaTypeOf(pathname)], pathname);
      moved += body.length;
    }
    assert.ok(moved <= 390_000, `${moved} bytes, and the description comes on top`);
  });
}

/** Checks that the vendored page is unmodified and complete, and loads nothing from other hosts. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { application } from '../../src/core/application/application.ts';
import { mediaTypeOf } from '../../src/plugins/files/file-headers.ts';
import { swaggerPage } from '../../src/plugins/swagger-page/swagger-page.ts';
import { ask } from '../support/file-request.ts';
import { filesIn } from './source-files.ts';

const FOLDER = new URL('../../static/swagger-ui/', import.meta.url);
const VERSION = '5.35.0';
const read = (name: string): Buffer => readFileSync(new URL(name, FOLDER));
const stages = [application([swaggerPage()]).handler];
const get = (path: string) => ask(stages, path, { 'accept-encoding': 'gzip, deflate, br' });

const sums = new Map(
  read('SHA256SUMS')
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split('  ').reverse() as [string, string]),
);

test('page – SHA256SUMS covers every file and is right', () => {
  const files = filesIn('static/swagger-ui').filter((path) => !path.endsWith('SHA256SUMS'));
  assert.deepEqual(
    files.filter((path) => !sums.has(basename(path))),
    [],
  );
  assert.ok(sums.size > 15);
  for (const [name, sum] of sums)
    assert.equal(createHash('sha256').update(read(name)).digest('hex'), sum, `${name} has changed: npm run vendor`);
});

test('page – the version is the one pinned, in VERSION, in the script that vendors and in the bundle', () => {
  const script = readFileSync(new URL('../../static/vendor-swagger-ui.mjs', import.meta.url), 'utf8');
  assert.match(read('VERSION').toString(), new RegExp(`^swagger-ui-dist ${VERSION}\\nsha512-`));
  assert.ok(script.includes(`'${VERSION}'`) && script.includes(read('VERSION').toString().split('\n')[1]!));
  assert.ok(read('swagger-ui-bundle.js').includes(VERSION));
});

test('page – the licences are served with it', async () => {
  for (const name of ['LICENSE', 'NOTICE', 'THIRD-PARTY-LICENSES.txt', 'swagger-ui-bundle.js.LICENSE.txt'])
    assert.equal((await get(`/swagger/ui/${name}`)).status, 200, name);
});

/** Packages that every version has in its bundle or style sheet. */
const SOME_BUNDLED = [
  '@swagger-api/apidom-core',
  'core-js-pure',
  'dompurify',
  'immutable',
  'js-yaml',
  'lodash',
  'react',
  'react-dom',
  'redux',
  'swagger-client',
  'swagger-ui-dist',
  'tachyons-sass',
];

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
  readonly evidence?: { readonly identity: { readonly methods: readonly { readonly confidence: number }[] } };
}

interface Bill {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const bill = JSON.parse(read('sbom.cdx.json').toString()) as Bill;
const bundled = bill.components.filter(({ name }) => name !== 'swagger-ui-dist');
const licenceOf = ({ licenses: [declared] }: Component): string => declared?.expression ?? declared?.license?.id ?? '';

test('page – the SBOM lists the packages in the bundle and in the style sheet', () => {
  const names = bill.components.map(({ name }) => name);
  assert.deepEqual(
    SOME_BUNDLED.filter((name) => !names.includes(name)),
    [],
  );
  assert.ok(names.length > 100, `${names.length} components`);
});

test('page – each component of the SBOM has a version, a package URL and a licence', () => {
  for (const component of bill.components) {
    const { name, version, purl } = component;
    assert.match(version, /^\d+\.\d+\.\d+$/, name);
    assert.equal(purl, `pkg:npm/${name.replace('@', '%40')}@${version}`);
    assert.match(licenceOf(component), /^[A-Z0-9][\w.-]+(?: (?:AND|OR) [\w.-]+)*$/, name);
  }
});

test('page – the graph of the SBOM reaches each component once', () => {
  const references = bill.components.map((component) => component['bom-ref']);
  assert.equal(new Set(references).size, references.length);
  const needs = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  assert.deepEqual([...needs.keys()], references);
  const reached = new Set([`swagger-ui-dist@${VERSION}`]);
  for (const reference of reached) for (const needed of needs.get(reference)!) reached.add(needed);
  assert.deepEqual([...reached].sort(), [...references].sort());
});

test('page – the code contains each version with full confidence in the SBOM', () => {
  const code = `${read('swagger-ui-bundle.js')}${read('swagger-ui.css')}`;
  const certain = bundled.filter(({ evidence }) => evidence!.identity.methods[0]!.confidence === 1);
  assert.ok(certain.length >= 5 && certain.length < bundled.length);
  for (const { name, version } of certain) assert.match(code, new RegExp(`["v]${version}\\b`), name);
});

test('page – each component of the SBOM has its licence text', () => {
  const [list = '', ...sections] = read('THIRD-PARTY-LICENSES.txt')
    .toString()
    .split(`\n${'='.repeat(80)}\n`);
  const texts = new Map(sections.map((section) => [/^Text (\d+), of:\n/.exec(section)?.[1], section]));
  const listed = new Map(
    [...list.matchAll(/^(\S+ \S+ \(.+\)): text ([\d, ]+)$/gm)].map(([, title, numbers]) => [title!, numbers!]),
  );
  assert.deepEqual(
    [...listed.keys()],
    bundled.map((component) => `${component.name} ${component.version} (${licenceOf(component)})`),
  );
  for (const [title, numbers] of listed) {
    const licences = numbers.split(', ').map((number) => texts.get(number) ?? '');
    const head = `\n${title.replace(/ \(.*/, '')}, `;
    assert.ok(
      licences.every((text) => text.includes(head)),
      `${title} is not named above its texts`,
    );
    assert.ok(
      licences.some((text) => /without warrant|warranty of any kind|warranties/i.test(text)),
      `${title} has no text`,
    );
  }
});

test('delivery – each compressed file unpacks to the original file', () => {
  const compressed = [...sums.keys()].filter((name) => /\.(?:br|gz)$/.test(name));
  assert.ok(compressed.includes('swagger-ui-bundle.js.br') && compressed.includes('swagger-ui.css.gz'));
  for (const name of compressed) {
    const unpack = name.endsWith('.br') ? brotliDecompressSync : gunzipSync;
    assert.ok(unpack(read(name)).equals(read(name.slice(0, -3))), name);
  }
});

const pageFiles = ['index.html', 'init.js', 'custom.css'].map((name) => [name, read(name).toString()] as const);

for (const [name, text] of pageFiles)
  test(`page – ${name} names no other host`, () => assert.doesNotMatch(text, /https?:\/\/|["'(]\/\//));

test('D18 – the page has no inline script and no inline style', () => {
  const page = read('index.html').toString();
  assert.doesNotMatch(page, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=/i);
});

for (const address of ['/swagger/ui', '/swagger/ui/', '/swagger/ui/index.html'])
  test(`page – every link of the page at ${address} → has 200 and its media type, with at most 390 kB in all`, async () => {
    const page = await get(address);
    const links = [...page.text.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(
      ([, link]) => new URL(link!, `http://here${address}`),
    );
    assert.ok(links.length >= 5);
    let transferred = page.body.length;
    for (const { host, pathname } of links) {
      assert.equal(host, 'here', 'no absolute address');
      const { status, headers, body } = await get(pathname);
      assert.deepEqual([status, headers['content-type']], [200, mediaTypeOf(pathname)], pathname);
      transferred += body.length;
    }
    assert.ok(transferred <= 390_000, `${transferred} bytes without the description`);
  });

/** Tests the page as a value inside a program: the same page, whatever the program is packed into (D19). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { application } from '../../../src/core/application/application.ts';
import { swaggerPage } from '../../../src/plugins/swagger-page/swagger-page.ts';
import { embeddedPage } from '../../release/embedded-page.ts';
import { ask } from '../../support/file-request.ts';
import { takeMessages } from '../../support/serve.ts';

const vendored = embeddedPage({ version: '1.0.0', commit: 'unknown', modified: 0 });
type PageOptions = Parameters<typeof swaggerPage>[0];
const stagesOf = (options?: PageOptions) => [application([swaggerPage(options)]).handler];
const fromFolder = stagesOf();
const inside = stagesOf({ vendored });

for (const path of [
  '/swagger/ui',
  '/swagger/ui/',
  '/swagger/ui/index.html',
  '/swagger/ui/init.js',
  '/swagger/ui/custom.css',
  '/swagger/ui/swagger-ui-bundle.js',
  '/swagger/ui/absent.js',
])
  for (const coding of ['identity', 'br'])
    test(`D19 – ${path} of a program with the page in it, ${coding} → as from the folder`, async () => {
      const asked = { 'accept-encoding': coding };
      const [expected, found] = [await ask(fromFolder, path, asked), await ask(inside, path, asked)];
      assert.equal(found.status, expected.status);
      if (found.status !== 200) return;
      // Inside the program, files are compressed that are not in the folder.
      const isCompressed = found.headers['content-encoding'] === 'br';
      assert.ok(isCompressed || expected.headers['content-encoding'] === undefined);
      const isAlike = isCompressed === (expected.headers['content-encoding'] === 'br');
      assert.ok((isAlike ? found.body : brotliDecompressSync(found.body)).equals(expected.body));
      for (const name of ['content-type', 'content-security-policy', 'cache-control', ...(isAlike ? ['etag'] : [])])
        assert.equal(found.headers[name], expected.headers[name], name);
    });

test('D19 – a page with another document, inside a program → its script leads to the document', async () => {
  const [folder, embedded] = [undefined, vendored].map((source) =>
    stagesOf({ document: 'api.json', vendored: source }),
  );
  assert.equal((await ask(embedded!, '/swagger/ui/init.js')).text, (await ask(folder!, '/swagger/ui/init.js')).text);
});

test('D19 – a program with an embedded page, without a folder → starts without a warning', async () => {
  await application([swaggerPage({ vendored })]).start();
  assert.deepEqual(takeMessages(), []);
});

for (const [what, wrong] of [
  ['null', null],
  ['a number', 5],
  ['an object without files', {}],
  ['files that are a number', { files: 5 }],
] as const)
  test(`D19 – vendored files that are ${what} → refused`, () => {
    assert.throws(
      () => swaggerPage({ vendored: wrong as never }),
      /^TypeError: Cannot serve the page: the option "vendored" is neither/,
    );
  });

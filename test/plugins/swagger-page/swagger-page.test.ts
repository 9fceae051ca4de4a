/** Tests the page: its addresses, its policy, and files that replace the vendored ones (D18, D19). */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { application } from '../../../src/core/application/application.ts';
import { headerOf } from '../../../src/core/http/replies.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import { PAGE_POLICY } from '../../../src/plugins/files/file-headers.ts';
import { staticSite } from '../../../src/plugins/files/files.ts';
import { swaggerPage } from '../../../src/plugins/swagger-page/swagger-page.ts';
import { ask as askService } from '../../support/ask.ts';
import { ask, fileContext } from '../../support/file-request.ts';
import { assertTold, serve } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const stagesOf = (options?: Parameters<typeof swaggerPage>[0]) => [application([swaggerPage(options)]).handler];
const plain = stagesOf();

test('D18 – the policy of the page is the one decided', () => {
  assert.deepEqual(PAGE_POLICY.split('; '), [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
});

for (const path of ['/swagger/ui', '/swagger/ui/', '/swagger/ui/index.html', '/SWAGGER/UI/', '/%73wagger/ui'])
  test(`D18 – GET and HEAD ${path} → 200 with the page`, async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, text } = await ask(plain, path, {}, method);
      assert.deepEqual(
        [status, headers['content-type'], headers['cache-control'], headers['content-security-policy']],
        [200, 'text/html; charset=utf-8', 'no-cache', PAGE_POLICY],
      );
      if (method === 'GET') assert.match(text, /<div id="swagger-ui">/);
    }
  });

for (const [method, path] of [
  ['DELETE', '/swagger/ui/index.html'],
  ['GET', '/swagger'],
  ['GET', '/swagger/'],
  ['GET', '/swagger/uix'],
  ['GET', '/swagger/ui/absent.css'],
  ['GET', '/swagger/ui//index.html'],
  ['GET', '/swagger/ui/INDEX.html'],
  ['GET', '/swagger/ui/..%2f..%2fpackage.json'],
  ['GET', '/swagger%2fui'],
  ['GET', '/'],
  ['GET', '/api/todo'],
] as const) {
  test(`D18, D36 – ${method} ${path} → the next stage`, async () => {
    assert.equal((await ask(plain, path, {}, method)).status, 404);
  });
}

test('D18 – without the slash → every link of the page begins with "ui/", and the page has another entity tag', async () => {
  const [bare, slashed] = await Promise.all([ask(plain, '/swagger/ui'), ask(plain, '/swagger/ui/')]);
  const links = (text: string) => [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link]) => link!);
  const below = links(slashed.text).map((link) => `ui/${link}`);
  assert.deepEqual(links(bare.text), below);
  assert.notEqual(bare.headers['etag'], slashed.headers['etag']);
  assert.equal((await ask(plain, '/swagger/ui', { 'if-none-match': bare.headers['etag']! })).status, 304);
  assert.equal((await ask(plain, '/swagger/ui', { 'if-none-match': slashed.headers['etag']! })).status, 200);
  assert.equal((await ask(plain, '/swagger/ui', { range: 'bytes=0-14' })).text, '<!DOCTYPE html>');
});

test('delivery – the script and the style travel compressed, and unchanged not at all', async () => {
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css', 'init.js']) {
    const accept = { 'accept-encoding': 'gzip, deflate, br' };
    const { headers } = await ask(plain, `/swagger/ui/${name}`, accept);
    assert.deepEqual([headers['content-encoding'], headers['content-security-policy']], ['br', PAGE_POLICY], name);
    const again = await ask(plain, `/swagger/ui/${name}`, { ...accept, 'if-none-match': headers['etag']! });
    assert.equal(again.status, 304, name);
  }
});

for (const [document, basePath] of [
  ['swagger/v1/swagger.json', '/cms'],
  ['swagger/v1/openapi.json', '/cms'],
  ['v2/swagger/v1/openapi.json', '/cms/v2'],
  ['docs/openapi.json', '/cms'],
] as const)
  test(`the page with the document ${document} → makes its calls below ${basePath}`, async () => {
    const app = application([swaggerPage({ document })]);
    const script = await (await app.request('/swagger/ui/init.js')).text();
    let plugins: readonly (() => { statePlugins: { spec: { wrapActions: { updateJsonSpec: Wrap } } } })[] = [];
    runInNewContext(script, {
      URL,
      window: {},
      document: { currentScript: { src: 'http://a/cms/swagger/ui/init.js' }, title: '' },
      SwaggerUIBundle: Object.assign((options: { plugins: typeof plugins }) => ({ plugins } = options), {
        presets: {},
      }),
    });
    const update = plugins[0]!().statePlugins.spec.wrapActions.updateJsonSpec((described) => described);
    assert.equal((update({ swagger: '2.0' }) as { basePath: string }).basePath, basePath);
    assert.equal((update({ openapi: '3.1.0' }) as { servers: [{ url: string }] }).servers[0].url, basePath);
  });
type Wrap = (original: (described: object) => object) => (described: object) => object;

/** The stages of the page, and behind them those of the static folder with these files. */
function stagesOver(files: Record<string, string>) {
  const folder = temporaryFolder(files);
  return [application([swaggerPage({ folder }), staticSite({ root: folder })]).handler];
}

const ownPage = '<link href=custom.css><h1>own</h1>';
const restyled: readonly (readonly [what: string, files: Record<string, string>, own: readonly string[]])[] = [
  ['a lone custom.css', { 'custom.css': 'body{}' }, ['custom.css']],
  ['a lone index.html', { 'index.html': ownPage }, ['index.html']],
  ['both', { 'custom.css': 'body{}', 'index.html': ownPage }, ['custom.css', 'index.html']],
  ['none', {}, []],
  ['a further file', { 'img/logo.svg': '<svg/>' }, ['img/logo.svg']],
];
for (const [what, files, own] of restyled) {
  test(`D19 – ${what} in the static folder → that, the rest as vendored, all with the page's policy`, async () => {
    const placed = Object.entries(files).map(([name, text]) => [`swagger/ui/${name}`, text]);
    const stages = stagesOver(Object.fromEntries(placed));
    for (const name of new Set(['index.html', 'custom.css', 'init.js', ...own])) {
      const { status, headers, text } = await ask(stages, `/Swagger/UI/${name}`);
      const told = [status, headers['content-security-policy'], text === files[name]];
      assert.deepEqual(told, [200, PAGE_POLICY, own.includes(name)], name);
    }
    const bare = await ask(stages, '/swagger/ui');
    assert.equal(bare.text.includes('own'), own.includes('index.html'));
    assert.match(bare.text, /href="?ui\/custom\.css/);
  });
}

const spelled = {
  'Swagger/UI/custom.css': '#mine{}',
  'Swagger/UI/index.html': '<p id=mine>',
  'Swagger/UI/img/index.html': 'mine too',
};
const spellings: readonly (readonly [path: string, own: boolean])[] = [
  ['/Swagger/UI/custom.css', true],
  ['/Swagger/UI/index.html', true],
  ['/Swagger/UI', true],
  ['/%53wagger/%55I', true],
  ['/Swagger/UI/img/', true],
  ['/Swagger/UI/init.js', false],
  ['/swagger/ui', false],
  ['/Swagger/UI/%63ustom.css', true],
];
for (const [path, own] of spellings) {
  test(`D19, D36 – ${path}, the folder spells it Swagger/UI/ → ${own ? 'its own' : 'the vendored'} file, the page's policy`, async () => {
    const { status, headers, text } = await ask(stagesOver(spelled), path);
    assert.deepEqual([status, headers['content-security-policy'], text.includes('mine')], [200, PAGE_POLICY, own]);
  });
}

test('D19 – both spellings in the static folder → the requested spelling, then the usual one, then the vendored file', async () => {
  const usual = { 'swagger/ui/custom.css': 'usual', 'swagger/ui/index.html': ownPage };
  const stages = stagesOver({ 'Swagger/UI/custom.css': 'asked', ...usual });
  for (const [path, text] of [
    ['/Swagger/UI/custom.css', 'asked'],
    ['/swagger/ui/custom.css', 'usual'],
    ['/SWAGGER/ui/custom.css', 'usual'],
    ['/Swagger/UI/index.html', ownPage],
  ] as const) {
    assert.equal((await ask(stages, path)).text, text, path);
  }
  assert.match((await ask(stages, '/Swagger/UI/init.js')).text, /SwaggerUIBundle/);
});

test('D18 – without the slash → the links of the page begin with the last segment as requested', async () => {
  const prefixes = { '/swagger/ui': 'ui/', '/Swagger/UI': 'UI/', '/swagger/%55i': 'Ui/', '/SWAGGER/ui': 'ui/' };
  for (const [path, prefix] of Object.entries(prefixes))
    assert.ok((await ask(plain, path)).text.includes(`src="${prefix}init.js"`), path);
});

test('D18 – the page → may not use devices', async () => {
  for (const path of ['/swagger/ui', '/swagger/ui/', '/swagger/ui/init.js']) {
    const { headers } = await ask(plain, path);
    assert.match(headers['permissions-policy']!, /\bcamera=\(\), .*\bgeolocation=\(\), .*\bmicrophone=\(\)/);
  }
});

for (const [what, trustedProxies, headers, policy] of [
  ['https of a trusted proxy', ['loopback'], { 'X-Forwarded-Proto': 'https' }, 'same-origin'],
  ['http of a trusted proxy', ['loopback'], { 'X-Forwarded-Proto': 'http' }, undefined],
  ['https of somebody', [], { 'X-Forwarded-Proto': 'https' }, undefined],
] as const) {
  test(`D18 – the page over ${what} → Cross-Origin-Opener-Policy: ${policy ?? 'none'}`, async (t) => {
    const { port } = await serve(t, { trustedProxies });
    const answer = await askService(port, { target: '/swagger/ui', headers });
    assert.deepEqual([answer.status, answer.headers['cross-origin-opener-policy']], [200, policy]);
  });
}

test('D18 – the page over a custom TLS socket → Cross-Origin-Opener-Policy: same-origin', async () => {
  const context = fileContext('/swagger/ui');
  Object.assign(context.request.socket, { encrypted: true });
  const reply = await pipeline(plain)(context);
  assert.equal(headerOf(reply, 'Cross-Origin-Opener-Policy'), 'same-origin');
});

test('D19 – a style that is added, changed and removed while the service runs → effective at once', async () => {
  const folder = temporaryFolder();
  const stages = stagesOf({ folder });
  const file = join(folder, 'swagger/ui/custom.css');
  const style = async () => (await ask(stages, '/swagger/ui/custom.css')).text;
  const vendored = await style();
  mkdirSync(dirname(file), { recursive: true });
  for (const text of ['a{}', 'b{}']) {
    writeFileSync(file, text);
    await until(async () => (await style()) === text, text);
  }
  unlinkSync(file);
  await until(async () => (await style()) === vendored, 'the vendored one');
});

test('another document → the script of the page has its path', async () => {
  const script = await ask(stagesOf({ document: 'v2/api.json' }), '/swagger/ui/init.js', { 'accept-encoding': 'br' });
  assert.match(script.text, /const place = \{ application: '..\/..\/', document: "v2\/api.json" \};/);
});

test("static files – the page's folder missing → one line at the start, 404 for the page", async () => {
  const { start, handler } = application([swaggerPage({ vendored: '/nowhere/at/all' })]);
  await start();
  assertTold(/^Cannot show the page at "\/swagger\/ui": [^\n]+$/);
  for (const path of ['/swagger/ui', '/swagger/ui/', '/swagger/ui/init.js']) {
    const { status, text } = await ask([handler], path);
    assert.equal(status, 404);
    assert.ok(!text.includes('nowhere') && !text.includes('ENOENT'));
  }
});

test("abuse – the page's folder gone while the service runs → 404, nothing else", async () => {
  const vendored = temporaryFolder({ 'page/index.html': 'page' });
  const stages = stagesOf({ vendored: join(vendored, 'page') });
  assert.equal((await ask(stages, '/swagger/ui')).status, 200);
  rmSync(join(vendored, 'page'), { recursive: true });
  await until(async () => (await ask(stages, '/swagger/ui')).status === 404, 'gone');
});

for (const [root, says] of [
  ['/nowhere/at/all', /^Cannot serve static files from "\/nowhere\/at\/all": the folder does not exist; /],
  [new URL(import.meta.url).pathname, /it is not a folder/],
] as const)
  test(`static files – an invalid static folder (${says.source.slice(-30)}) → the start fails with a message`, () =>
    assert.rejects(async () => staticSite({ root }).start?.(), { message: says }));

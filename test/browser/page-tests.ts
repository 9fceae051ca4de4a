/** Tests the page as a user uses it, and the errors of the browser (D18–D20). `page.browser.ts` runs it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { application, serve } from '../../src/index.ts';
import { description } from '../../src/plugins/description/description.ts';
import { swaggerPage } from '../../src/plugins/swagger-page/swagger-page.ts';
import { todo } from '../../src/plugins/todo/todo.ts';
import { textOf } from '../house/source-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { execute, jsonShown, tryOut } from './reply-shown.ts';
import { type Running, service, strippingProxy } from './running.ts';
import { assertPictured } from './small-picture.ts';
import { Browser, ELSEWHERE } from './webdriver.ts';

const browser = await Browser.start();
const running: Running[] = [];
after(async () => {
  await browser.stop();
  await Promise.all(running.map((one) => one.stop()));
});

async function started(one: Promise<Running>): Promise<Running> {
  const made = await one;
  running.push(made);
  return made;
}

/** Opens the page and waits until it shows all operations. */
async function openPage(url: string): Promise<void> {
  await browser.open(url);
  await browser.waitFor('return document.querySelectorAll(".opblock").length === 6');
}

interface Execution {
  readonly id: string;
  readonly status: string;
  readonly body?: (key: string) => object;
}

const executions: readonly Execution[] = [
  { id: 'ApiTodoGet', status: '200' },
  { id: 'ApiTodoPost', status: '201', body: () => ({ name: '<img src=x onerror=alert(1)><b>bold</b>' }) },
  { id: 'ApiTodoByIdGet', status: '200' },
  { id: 'ApiTodoByIdPut', status: '204', body: (id) => ({ key: id, name: 'Replaced', isComplete: true }) },
  { id: 'ApiTodoByIdPatch', status: '204', body: () => ({ name: 'Updated' }) },
  { id: 'ApiTodoByIdDelete', status: '204' },
];

/**
 * Executes the operations in turn on the item that the second operation creates, and compares the shown statuses.
 */
async function executeAll(): Promise<void> {
  let id = '';
  for (const { id: operation, status, body } of executions) {
    const block = `#operations-Todo-${operation}`;
    await tryOut(browser, block);
    if (operation.includes('ById')) await browser.type(`${block} tr[data-param-name="id"] input`, id);
    if (body !== undefined) await browser.type(`${block} textarea.body-param__text`, JSON.stringify(body(id)));
    const shown = await execute(browser, block);
    assert.equal(shown.status, status, `${operation}: ${shown.text}`);
    if (operation === 'ApiTodoPost') id = ((await jsonShown(browser, block)) as { readonly key: string }).key;
    if (operation === 'ApiTodoByIdGet') {
      const { text } = shown;
      assert.ok(text.includes('<img src=x onerror=alert(1)><b>bold</b>'), 'a name with HTML in it is shown as text');
      assert.equal(
        await browser.run(
          'return document.querySelectorAll(".live-responses-table img, .live-responses-table b").length',
        ),
        0,
      );
    }
  }
}

const plain = await started(service());
const based = await started(service('--base-path', '/tasks'));
const proxied = await started(strippingProxy('/Team-1/a%20b', plain.port));
const proxiedBased = await started(strippingProxy('/outer', based.port));

/** Where the page is. Six operations are executed in the first place and in the one with the longest prefix. */
const places: readonly (readonly [where: string, url: string])[] = [
  ['at the address without the slash', `http://127.0.0.1:${plain.port}/swagger/ui`],
  ['at the address with the slash', `http://127.0.0.1:${plain.port}/swagger/ui/`],
  ['by another name than localhost', `http://${ELSEWHERE}:${plain.port}/swagger/ui`],
  ['with a base path', `http://127.0.0.1:${based.port}/tasks/swagger/ui`],
  ['with a base path that the address leaves out', `http://127.0.0.1:${based.port}/swagger/ui`],
  ['behind a proxy that strips a prefix', `http://127.0.0.1:${proxied.port}/Team-1/a%20b/swagger/ui`],
  ['behind that proxy with the slash', `http://127.0.0.1:${proxied.port}/Team-1/a%20b/swagger/ui/`],
  [
    'behind a proxy that strips a prefix, with a base path',
    `http://${ELSEWHERE}:${proxiedBased.port}/outer/tasks/swagger/ui`,
  ],
];

for (const [at, [where, url]] of places.entries()) {
  const isWhole = at === 0 || at === places.length - 1;
  test(`page – the page ${where}: ${isWhole ? 'six operations' : 'the list'} → no other host, nothing blocked by the policy, nothing on the console`, async () => {
    await openPage(url);
    const authorize = await browser.run('return document.querySelectorAll(".authorize, .scheme-container").length');
    assert.equal(authorize, 0, 'no Authorize button, no bar for one (D20)');
    if (isWhole) await executeAll();
    else assert.equal(await executed('ApiTodoGet'), '200');
    await browser.assertClean(new URL(url).origin);
  });
}

/** Opens and executes an operation with these values by parameter name. Returns the shown status. */
async function executed(operation: string, typed: Readonly<Record<string, string>> = {}): Promise<string> {
  const block = `#operations-Todo-${operation}`;
  await tryOut(browser, block);
  for (const [name, text] of Object.entries(typed))
    await browser.type(`${block} tr[data-param-name="${name}"] input`, text);
  return (await execute(browser, block)).status;
}

for (const document of ['swagger/v1/swagger.json', 'swagger/v1/openapi.json'])
  test(`page – ${document}, executed with the values of the page → only the unknown key is refused (D14)`, async (t) => {
    const page = swaggerPage({ document });
    const { url, close } = await serve(application([todo(), description({ title: 'T' }), page]), { port: 0 });
    t.after(() => close());
    await openPage(`${url}/swagger/ui`);
    const statuses: string[] = [];
    for (const { id } of executions) statuses.push(await executed(id));
    assert.deepEqual(statuses, ['200', '201', '404', '404', '404', '404']);
    if (document.endsWith('openapi.json')) {
      await openPage(`${url}/swagger/ui`);
      assert.equal(await executed('ApiTodoGet', { 'If-None-Match': '*' }), '304');
      await openPage(`${url}/swagger/ui`);
      assert.equal(await executed('ApiTodoGet', { 'If-Match': '"another"' }), '412');
    }
  });

test('delivery – the first load transfers at most 400 kB', async () => {
  await openPage(`http://127.0.0.1:${plain.port}/swagger/ui`);
  await browser.waitFor('return document.readyState === "complete"');
  const received = await browser.assertClean(`http://127.0.0.1:${plain.port}`);
  assert.ok(received > 300_000 && received <= 400_000, `${received} bytes`);
});

test('page – the page has the title of the description and ignores an address for another description', async () => {
  await openPage(
    `http://127.0.0.1:${plain.port}/swagger/ui?url=http://127.0.0.1:${based.port}/swagger/v1/swagger.json`,
  );
  const shown = await browser.run('return document.querySelector(".info .title").firstChild.textContent');
  assert.equal(await browser.run('return document.title'), shown);
  await browser.assertClean(`http://127.0.0.1:${plain.port}`);
});

const ownPage =
  '<!DOCTYPE html><html lang="en"><title>Own</title><link rel=icon href=favicon-32x32.png>' +
  '<link rel=stylesheet href=swagger-ui.css><link rel=stylesheet href="./custom.css"><h1 id=own>Own page</h1>' +
  "<div id='swagger-ui'></div><script src='swagger-ui-bundle.js'></script><script src=\"init.js\"></script></html>";
const copiedPage = readFileSync(new URL('../../static/swagger-ui/index.html', import.meta.url), 'utf8')
  .replace(/<title>.*<\/title>/, '<title>Own</title>')
  .replace('<body>', '<body><h1 id="own">Own page</h1>');
/** The index page from the guide, with the marks for this test. */
const guidePage = (/```html\n([^]*?)```/.exec(textOf('src/guide/restyle-the-page.md'))?.[1] ?? '')
  .replace('<title>Our to-do list</title>', '<title>Own</title>')
  .replace('<h1>', '<h1 id="own">');
const ownStyle = 'body { background: rgb(1, 2, 3); }';

const restyled: readonly (readonly [what: string, files: Readonly<Record<string, string>>])[] = [
  ['nothing', {}],
  ['a lone custom.css', { 'swagger/ui/custom.css': ownStyle }],
  ['a lone index.html', { 'swagger/ui/index.html': ownPage }],
  ['a copy of the vendored index.html with another title', { 'swagger/ui/index.html': copiedPage }],
  ['the index.html of the guide', { 'swagger/ui/index.html': guidePage }],
  ['both', { 'swagger/ui/custom.css': ownStyle, 'swagger/ui/index.html': ownPage }],
];
for (const [what, files] of restyled) {
  test(`restyling – a custom ${what} below the page's path (D19)`, async () => {
    const { port } = await started(service('--static', temporaryFolder(files)));
    for (const address of ['/swagger/ui', '/swagger/ui/']) {
      await openPage(`http://127.0.0.1:${port}${address}`);
      const styled = await browser.run('return getComputedStyle(document.body).backgroundColor === "rgb(1, 2, 3)"');
      assert.equal(styled, 'swagger/ui/custom.css' in files, address);
      const isOwn = 'swagger/ui/index.html' in files;
      assert.equal(await browser.run('return document.getElementById("own") !== null'), isOwn, address);
      const shown = await browser.run('return document.querySelector(".info .title").firstChild.textContent');
      const title = await browser.run('return document.title');
      assert.equal(title, isOwn ? 'Own' : shown, 'an own page keeps its own title');
      await browser.assertClean(`http://127.0.0.1:${port}`);
    }
  });
}

test('restyling – a folder named Swagger/UI/ → restyles the page at that address, but not at the usual address', async () => {
  const { port } = await started(service('--static', temporaryFolder({ 'Swagger/UI/custom.css': ownStyle })));
  for (const [address, own] of [
    ['/Swagger/UI', true],
    ['/Swagger/UI/', true],
    ['/swagger/ui', false],
  ] as const) {
    await openPage(`http://127.0.0.1:${port}${address}`);
    const isStyled = await browser.run('return getComputedStyle(document.body).backgroundColor === "rgb(1, 2, 3)"');
    assert.equal(isStyled, own, address);
    await browser.assertClean(`http://127.0.0.1:${port}`);
  }
});

test('page – behind a trusted https proxy → works, with nothing on the console', async () => {
  const { port } = await started(service('--trusted-proxies', 'loopback'));
  const proxy = await started(strippingProxy('/tls', port, { 'x-forwarded-proto': 'https' }));
  await openPage(`http://127.0.0.1:${proxy.port}/tls/swagger/ui`);
  await browser.assertClean(`http://127.0.0.1:${proxy.port}`);
});

test('restyling – the folder static/site → restyles the page as the picture of the README shows it', async () => {
  const { port } = await started(service('--static', new URL('../../static/site', import.meta.url).pathname));
  await openPage(`http://127.0.0.1:${port}/swagger/ui`);
  const sheets = await browser.run<readonly string[]>('return Array.from(document.styleSheets, ({ href }) => href)');
  assert.ok(
    sheets.some((href) => href.endsWith('/swagger/ui/custom.css')),
    sheets.join(),
  );
  const shown = await browser.run<string>('return document.querySelector("#swagger-ui").innerText');
  await assertPictured('page-restyled.png', shown.replace(`:${port}`, ''), () => browser.picture());
  await browser.assertClean(`http://127.0.0.1:${port}`);
});

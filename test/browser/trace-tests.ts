/** Tests the trace page as a user uses it, and the errors of the browser (D92, D93). `trace.browser.ts` runs it. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { service } from './running.ts';
import { assertPictured } from './small-picture.ts';
import { Browser, ELSEWHERE } from './webdriver.ts';

const browser = await Browser.start();
const running = await service('--trace', 'on', '--cors-origins', 'http://a.example');
after(async () => {
  await browser.stop();
  await running.stop();
});
const base = `http://127.0.0.1:${running.port}`;

const STILL = { 'prefers-reduced-motion': 'reduce' };
const json = { 'Content-Type': 'application/json' };
const wrong = (): Promise<Response> => fetch(`${base}/api/todo`, { method: 'POST', headers: json, body: '{"name":1}' });

/** Opens the page in a window of this width, without motion. */
async function openPage(
  width = 1440,
  scheme = 'light',
  motion: Readonly<Record<string, string>> = STILL,
  at = base,
  height = 1000,
): Promise<void> {
  await browser.show(width, height, { 'prefers-color-scheme': scheme, ...motion });
  await browser.open(`${at}/trace`);
  await browser.waitFor('return document.querySelector("#live").textContent === "live"');
}

/** Opens the newest request. */
async function openNewest(): Promise<void> {
  await browser.click('#requests li:first-child button');
  await browser.waitFor('return document.querySelector("#onion .edge.out")');
}

const assertClean = (): Promise<number> => browser.assertClean(`${base}/trace`);

const texts = (selector: string): Promise<readonly string[]> =>
  browser.run('return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent.trim())', selector);
const text = async (selector: string): Promise<string> => (await texts(selector))[0] ?? '';

test('trace – the page → draws the pipeline and its routes in order, from its own origin alone', async () => {
  await openPage();
  assert.deepEqual(await texts('#onion .edge.in > .name'), [
    'cors: corsMarks',
    'problems',
    'cors: cors',
    'swagger-page: swaggerPage',
    'routing',
    'unanswered',
  ]);
  assert.deepEqual((await texts('#onion .verdicts td:nth-child(3)')).slice(0, 2), ['/api/todo', '/api/todo/{id}']);
  assert.equal((await texts('#onion .verdicts tbody tr')).length, 8);
  await assertClean();
});

test('trace – a new request → appears in the list without a reload, and shows its stations when selected', async () => {
  await openPage();
  await fetch(`${base}/api/todo/x7`, { headers: { Authorization: 'Bearer very-private', Cookie: 'a=also-private' } });
  await browser.waitFor('return document.querySelector("#requests .target")?.textContent === "/api/todo/x7"');
  await openNewest();
  assert.deepEqual(await texts('#onion .verdicts .taken td:nth-child(3)'), ['/api/todo/{id}']);
  assert.match(await text('#onion .routes p'), /^The index proposes 1 of 8 routes/);
  assert.equal(await text('#onion .box.handler .edge.in'), 'handler ApiTodoByIdGet');
  await browser.click('#onion .box.route > .edge.out');
  assert.match(await text('#detail-heading'), /^GET \/api\/todo\/\{id\}$/);
  assert.match(
    await text('#detail'),
    /The context that came in.*\/api\/todo\/x7.*The reply that went out.*404.*No item has the key/s,
  );
  await browser.click('#onion .edge.alone');
  assert.match(await text('#detail'), /Authorization\(hidden\)Cookie\(hidden\)/);
  assert.equal(await browser.run('return document.documentElement.outerHTML.includes("private")'), false);
  assert.match(await text('nav'), /Hidden by name: .*Other texts are shown as they are/);
  await assertClean();
});

test('trace – an error → is shown at the stages that throw, pass and catch it', async () => {
  await wrong();
  await openPage();
  await openNewest();
  assert.match(await text('#onion .box.input > .edge.out'), /refused with 400: The body does not match its schema/);
  assert.deepEqual(await texts('#onion .box.handler'), []);
  assert.match(await text('#onion .box.route > .edge.out'), /passed the error on/);
  assert.match((await texts('#onion .edge.out')).join('|'), /passed the error on.*\|.*problems caught it/);
});

test('trace – Play → the request travels step by step, to the end', async () => {
  await wrong();
  await openPage(1440, 'light', { 'prefers-reduced-motion': 'no-preference' });
  await openNewest();
  // The player announces each step.
  await browser.run(`
    window.told = [];
    new MutationObserver(() => told.push(document.querySelector('#caption').textContent)).observe(
      document.querySelector('#caption'), { childList: true, characterData: true, subtree: true });`);
  await browser.click('#play');
  await browser.waitFor('return document.querySelector(".edge.here")');
  await browser.waitFor('return /write: 400/.test(document.querySelector("#caption").textContent)');
  const told = await browser.run<readonly string[]>('return told');
  assert.deepEqual(
    told.map((one) => Number.parseInt(one, 10)),
    told.map((_, at) => at + 1),
  );
  await assertClean();
});

test('trace – steps by keyboard → the station of the step is marked', async () => {
  await openPage();
  await openNewest();
  const steps = Number(await browser.run('return document.querySelector("#step").max')) + 1;
  await browser.press('#step', '\uE011');
  assert.match(await text('#caption'), new RegExp(`^1 of ${steps}: parser`));
  await browser.press('#step', '\uE014');
  assert.match(await text('#caption'), new RegExp(`^2 of ${steps}: into cors: corsMarks`));
  assert.match(await text('.edge.here'), /^cors: corsMarks/);
  await browser.press('#onion .box > .edge.in', '\uE007');
  assert.equal(await text('#detail-heading'), 'cors: corsMarks');
});

test('trace – a stage calls next again, also after its reply → shows the calls in order, each with its routes', async (t) => {
  const folder = temporaryFolder({
    'package.json': '{"type":"module"}',
    'spa.js': `export default ({ contextWith, route, text }) => ({ name: 'spa', routes: [route({ path: 'app', handle: () => text('app') })],
      stages: [function spa(context, next) {
        if (context.path !== '/spa') return next(context);
        const found = next(context);
        queueMicrotask(() => next(context));
        return found.status === 404 ? next(contextWith(context, { path: '/app' })) : found;
      }] });`,
  });
  const other = await service('--trace', 'on', '--plugin', join(folder, 'spa.js'));
  t.after(() => other.stop());
  const url = `http://127.0.0.1:${other.port}`;
  await fetch(`${url}/spa`);
  await openPage(1440, 'light', STILL, url);
  await openNewest();
  assert.deepEqual(await texts('#onion .call'), [
    'next called again, passed on with path "/app"',
    'next called again after the reply',
  ]);
  const taken =
    'return [...document.querySelectorAll("#onion .routes")].map((one) => one.querySelectorAll(".taken").length)';
  assert.deepEqual(await browser.run(taken), [0, 1, 0]);
  const steps = Number(await browser.run('return document.querySelector("#step").max')) + 1;
  await browser.press('#step', '\uE010');
  assert.match(
    await text('#caption'),
    new RegExp(`^${steps} of ${steps}: out of routing: passed on, after the reply$`),
  );
  assert.match((await texts('#onion .edge.out > small')).join('|'), /, after the reply\|/);
  await browser.click('#onion .box:has(> .call) > .edge.in');
  assert.match(
    await text('#detail'),
    /What it passed onThe same context\.What it passed on in call 2 of nextpath "\/app"/,
  );
});

/** Shows the two newest requests side by side. */
async function showBeside(): Promise<void> {
  await openNewest();
  // Selects the second option by script, because a headless browser cannot click on options.
  await browser.run(`const beside = document.querySelector('#beside');
    beside.selectedIndex = 2; beside.dispatchEvent(new Event('change'))`);
  await browser.waitFor('return document.querySelectorAll("#onion .onion").length === 2');
}

test('trace – two requests side by side → show their differences below their names until another is selected', async () => {
  await fetch(`${base}/api/todo/x7`);
  await wrong();
  await openPage();
  await showBeside();
  assert.match((await texts('#onion h3')).join('|'), /^POST \/api\/todo, [^|]+\|GET \/api\/todo\/x7, /);
  assert.equal(await text('#difference caption'), 'POST /api/todo | GET /api/todo/x7: the differences');
  const rows = await texts('#difference tr');
  assert.ok(rows.includes('Status400404'), rows.join());
  assert.ok(
    rows.some((row) => /^ApiTodoByIdGetnot reachedanswered 404$/.test(row)),
    rows.join(),
  );
  await browser.press('#step', '\uE011');
  assert.match(await text('#caption'), /^1 of \d+: parser: POST .* \| parser: GET /);
  assert.equal((await texts('.edge.here')).length, 2);
  await browser.click('#requests li:nth-child(2) button');
  await browser.waitFor('return document.querySelectorAll("#onion .onion").length === 1');
  assert.equal(await text('#difference'), '');
  assert.equal(await browser.run('return document.querySelector("#beside").selectedIndex'), 0);
});

test('trace – routes that do not match → are folded', async () => {
  await wrong();
  await openPage();
  await openNewest();
  const seen = `return [...document.querySelectorAll('#onion .verdicts tbody tr')]
    .filter((row) => row.checkVisibility()).map((row) => row.textContent)`;
  assert.deepEqual(await browser.run(seen), ['✓ 3POST/api/todo{}']);
  assert.equal(await text('#onion .routes summary'), '7 routes not taken: 0 tried, 7 not tried');
  await browser.click('#onion .routes summary');
  assert.equal((await browser.run<readonly string[]>(seen)).length, 8);
});

/** The keys of a browser (WebDriver 2, 17.4.2). */
const [ENTER, HOME, RIGHT] = ['\uE007', '\uE011', '\uE014'];

test('trace – 1280 × 720 → the pipeline beside the details, and no key scrolls the page', async () => {
  await wrong();
  await openPage(1280, 'light', STILL, base, 720);
  await openNewest();
  const place = (selector: string): Promise<Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>> =>
    browser.run('return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()', selector);
  const assertStill = async (): Promise<void> => {
    const [onion, details] = [await place('#shown'), await place('aside')];
    assert.ok(onion.right <= details.left, 'side by side');
    for (const { top, bottom } of [onion, details]) assert.ok(top >= 0 && bottom <= 720, `${top} to ${bottom}`);
    assert.deepEqual(
      await browser.run(
        'return [scrollY, document.documentElement.scrollHeight, document.querySelector("main").scrollTop]',
      ),
      [0, 720, 0],
    );
  };
  await assertStill();
  await browser.press('#step', HOME!);
  for (let step = 0; step < 12; step += 1) await browser.press('#step', RIGHT!);
  assert.match(await text('#caption'), /^13 of /);
  await assertStill();
});

test('trace – the next step is predicted by keyboard → shown once it is right; a wrong answer is met with a question', async () => {
  await fetch(`${base}/api/todo`);
  await openPage();
  await openNewest();
  const names = await browser.run<readonly string[]>(
    'return [...document.querySelectorAll("#onion .onion .edge")].map((one) => one.textContent)',
  );
  await browser.press('#predict', ' ');
  const visible = `return [...document.querySelectorAll('#onion .edge')]
    .filter((one) => one.checkVisibility()).map((one) => one.textContent)`;
  assert.deepEqual(await browser.run(visible), names.slice(0, 1));
  const answer = async (name: string): Promise<string> => {
    await browser.run('document.querySelector("#next").value = arguments[0]', name);
    assert.equal(await browser.run('return document.querySelector("#next").value'), name, 'is offered');
    await browser.press('#next', ENTER!);
    return text('#judged');
  };
  const stages = ['cors: corsMarks', 'problems', 'cors: cors', 'swagger-page: swaggerPage', 'routing'];
  assert.match(await answer(`into ${stages[0]}`), /^Yes: into cors: corsMarks\.$/);
  assert.match(await answer('write'), /^No\. Before that, the request goes further in\. What does it reach next\?$/);
  assert.match(await answer('into routing'), /^No\. What does the request pass before that\?$/);
  const passed = /^No\. The request has passed that already\. What comes next\?$/;
  assert.match(await answer(`into ${stages[0]}`), passed);
  assert.match(await answer('into route POST /api/todo'), /^No\. Does the request reach that at all\?$/);
  assert.equal((await browser.run<readonly string[]>(visible)).length, 2);
  for (const name of stages.slice(1)) assert.match(await answer(`into ${name}`), /^Yes/);
  assert.equal(await browser.run('return document.querySelector("#onion .routes").checkVisibility()'), false);
  await browser.click('#onion .box > .edge.here');
  assert.doesNotMatch(await text('#detail'), /went out|passed on/);
  assert.match(await answer('into route GET /api/todo'), /^Yes/);
  assert.equal(await browser.run('return document.querySelector("#onion .routes").checkVisibility()'), true);
  for (const name of ['into input', 'out of input', 'into the handler']) assert.match(await answer(name), /^Yes/);
  assert.match(await answer('into unanswered'), /^No\. The request goes no further in/);
  await browser.click('#skip');
  assert.match(await text('#judged'), /^It is: out of handler ApiTodoGet: answered/);
  for (const name of ['into reply', 'out of reply']) assert.match(await answer(name), /^Yes/);
  assert.match(await answer('out of problems'), /^No\. .* Which of them is the innermost\?$/);
  assert.match(await answer('into the handler'), passed);
  assert.match(await answer('out of the handler'), passed);
  assert.match(await answer('out of the route'), /^Yes/);
  for (const name of stages.toReversed()) assert.match(await answer(`out of ${name}`), /^Yes/);
  assert.match(await answer('write'), /^Yes: write: 200\. 16 of 19 at the first try\.$/);
  assert.equal((await browser.run<readonly string[]>(visible)).length, names.length);
  await assertClean();
});

test('trace – a stage outside of problems throws → the server is shown, which caught the error', async (t) => {
  const folder = temporaryFolder({
    'package.json': '{"type":"module"}',
    'outer.js': `export default () => ({ name: 'outer',
      outerStages: [function outer(context, next) { if (context.path === '/outer') throw new Error('broken'); return next(context); }] });`,
  });
  const other = await service('--trace', 'on', '--plugin', join(folder, 'outer.js'));
  t.after(() => other.stop());
  const url = `http://127.0.0.1:${other.port}`;
  await fetch(`${url}/outer`);
  await openPage(1440, 'light', STILL, url);
  await openNewest();
  assert.deepEqual((await texts('#onion .edge.alone')).slice(1), ['servercaught it, answered 500', 'write500']);
  await browser.click('#onion .edge.alone:nth-last-child(2)');
  assert.match(await text('#detail'), /no stage catches an error.*Error: broken/);
});

test('trace – a request is saved as a file, and the file is opened → the same, as text and never as markup', async () => {
  const folder = temporaryFolder();
  await wrong();
  await openPage();
  await browser.saveTo(folder);
  await openNewest();
  const drawn = await text('#onion');
  await browser.click('#save');
  const file = join(folder, 'POST-api-todo.json');
  while (!existsSync(file)) await delay(20);
  const saved = readFileSync(file, 'utf8');
  await browser.choose('#file', file);
  await browser.waitFor(
    'return /POST-api-todo.json/.test(document.querySelector("#requests li:first-child").textContent)',
  );
  assert.equal(await text('#onion'), drawn);
  const hostile = saved.replaceAll('problems', '<b onclick=alert(1)>bold</b>').replaceAll('"1.1"', '"<img src=x>"');
  writeFileSync(file, hostile);
  await browser.choose('#file', file);
  await browser.waitFor('return document.querySelector("#onion").textContent.includes("<b onclick")');
  assert.equal(await browser.run('return document.querySelector("main :is(b, img)")'), null);
  writeFileSync(file, '{"recording":{}}');
  await browser.choose('#file', file);
  await browser.waitFor('return document.querySelector("#opened").textContent');
  assert.match(await text('#opened'), /^This file is not a recording .*: "recording.method" is not a text$/);
  await assertClean();
});

test('trace – the service stops → the page says that it is not connected', async () => {
  const other = await service('--trace', 'on');
  await openPage(1440, 'light', STILL, `http://127.0.0.1:${other.port}`);
  await other.stop();
  await browser.waitFor('return document.querySelector("#live").textContent === "not connected"');
});

test('trace – another name for this machine → is refused', async () => {
  await browser.open(`http://${ELSEWHERE}:${running.port}/trace`);
  assert.match(await text('body'), /The trace answers only to local host names/);
});

/** Returns the contrast of each text and its background (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = `
  const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const painted = (colours) => {
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  let least = 21;
  for (const one of document.querySelectorAll('main *')) {
    if (![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) continue;
    if (one.checkVisibility && !one.checkVisibility() || one.closest(':disabled, option')) continue;
    const behind = [];
    for (let at = one; at !== null; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor);
    const below = painted(['#fff', ...behind]);
    const [a, b] = [light(painted(['#fff', ...behind, getComputedStyle(one).color])), light(below)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least) { least = ratio; window.leastReadable = one.outerHTML.slice(0, 200); }
  }
  return [least, window.leastReadable];`;

for (const width of [1440, 900, 390]) {
  for (const scheme of ['light', 'dark']) {
    test(`trace – ${width} pixels wide, ${scheme} → cuts nothing off, and every text has enough contrast`, async () => {
      await wrong();
      await openPage(width, scheme);
      await openNewest();
      await browser.click('#onion .onion > .box > .edge.out');
      await browser.run('scrollTo(0, 0); document.querySelector("#shown").scrollTop = 0');
      const [inner, scroll] = await browser.run<readonly number[]>(
        'return [document.documentElement.clientWidth, document.documentElement.scrollWidth]',
      );
      assert.equal(scroll, inner);
      const [least, where] = await browser.run<[number, string]>(LEAST_CONTRAST);
      assert.ok(least >= 4.5, `${least} at ${where}`);
      if (width !== 1440 || scheme !== 'light') return;
      await browser.show(width, 905, { 'prefers-color-scheme': scheme, ...STILL });
      const shown = (await text('#onion')).replaceAll(/[\d.]+ (?:µs|ms|s)/g, '');
      await assertPictured('trace-wide.png', shown, () => browser.picture());
    });
  }
}

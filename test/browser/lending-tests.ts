/**
 * Tests the page of the lending application, and events that a script in it gets. `lending.browser.ts` runs it.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { serve } from '../../src/index.ts';
import { lending } from '../lending/application.ts';
import { startRelay } from '../support/relay.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import * as shownReply from './reply-shown.ts';
import { Browser } from './webdriver.ts';

const application = lending({
  ada: { identity: { name: 'Ada', department: 'film' }, roles: ['keeper'] },
  bob: { identity: { name: 'Bob', department: 'news' } },
});
const { url, close } = await serve(application, { port: 0 });
const proxy = await startRelay(Number(new URL(url).port));
const browser = await Browser.start();
after(async () => {
  await browser.stop();
  proxy.close();
  await close();
});

const host = `127.0.0.1:${proxy.port}`;
const asBob = { Authorization: 'Bearer bob' };
for (const [at, kind] of ['tripod', 'camera', 'camera'].entries()) {
  const device = { serial: `AB000${at}`, name: `No. ${at}`, kind, acquired: `202${at}-05-01` };
  const made = await application.request('/v2/devices', {
    method: 'POST',
    headers: { Authorization: 'Bearer ada' },
    json: device,
  });
  assert.equal(made.status, 201);
}

const OPERATIONS = {
  Devices: ['DevicesBySerialGet', 'DevicesBySerialPut', 'DevicesGet', 'DevicesPost', 'DevicesEventsGet'],
  Loans: ['DevicesBySerialLoanGet', 'DevicesBySerialLoanPost', 'DevicesBySerialLoanDelete'],
  Photos: ['DevicesBySerialPhotoGet', 'DevicesBySerialPhotoPost', 'DevicesBySerialManualGet'],
  Routes: ['DevicesCsvGet'],
  Sessions: ['LoginPost', 'LogoutPost'],
};

async function openPage(): Promise<void> {
  await browser.open(`http://${host}/v2/swagger/ui`);
  const count = Object.values(OPERATIONS).flat().length;
  await browser.waitFor('return document.querySelectorAll(".opblock").length === arguments[0]', count);
}

const assertClean = (expected?: RegExp): Promise<number> => browser.assertClean(`http://${host}`, expected);

/** Opens an operation to try it out, and returns the selector of its block. */
async function tryOut(tag: keyof typeof OPERATIONS, id: string): Promise<string> {
  const block = `#operations-${tag}-${id}`;
  await shownReply.tryOut(browser, block);
  return block;
}

const field = (block: string, name: string): string => `${block} tr[data-param-name="${name}"]`;

async function execute(block: string, expected: string): Promise<void> {
  const { status, text } = await shownReply.execute(browser, block);
  assert.equal(status, expected, text);
}

const jsonShown = (block: string): Promise<unknown> => shownReply.jsonShown(browser, block);

async function authorize(token: string): Promise<void> {
  const form = '.dialog-ux .auth-container';
  await browser.click('.scheme-container .btn.authorize');
  await browser.type(`${form} input`, `Bearer ${token}`);
  await browser.click(`${form} [aria-label="Apply credentials"]`);
  await browser.click(`${form} [aria-label="Remove authorization"] ~ .btn-done`);
}

test('page – the lending application → shows every operation below its tag', async () => {
  await openPage();
  const shown = await browser.run(`
    return Object.fromEntries(Array.from(document.querySelectorAll('.opblock-tag-section'), (section) => [
      section.querySelector('.opblock-tag').dataset.tag,
      Array.from(section.querySelectorAll('.opblock'), ({ id }) => id.split('-').pop()),
    ]))`);
  assert.deepEqual(shown, OPERATIONS);
  await assertClean();
});

test('page – a list with a query, tried out → an enum is a select, a default is filled in, and the reply is the requested page', async () => {
  await openPage();
  const block = await tryOut('Devices', 'DevicesGet');
  const options = await browser.waitFor(
    'return Array.from(document.querySelectorAll(arguments[0]), (option) => option.value)',
    `${field(block, 'kind')} select option`,
  );
  assert.deepEqual(options, ['', 'camera', 'tripod', 'light']);
  const filled = await browser.run(
    'return document.querySelector(arguments[0]).value',
    `${field(block, 'size')} input`,
  );
  assert.equal(filled, '20');
  await browser.click(`${field(block, 'kind')} select option[value="camera"]`);
  await browser.type(`${field(block, 'since')} input`, '2021-01-01');
  await browser.type(`${field(block, 'size')} input`, '1');
  await execute(block, '200');
  const { items, next } = (await jsonShown(block)) as { items: { serial: string }[]; next: string };
  const serials = items.map(({ serial }) => serial);
  assert.deepEqual(serials, ['AB0001']);
  assert.deepEqual(Object.fromEntries(new URLSearchParams(next.split('?')[1])), {
    kind: 'camera',
    since: '2021-01-01',
    from: '1',
    size: '1',
  });
  await assertClean();
});

/** A picture of one red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

test('page – a form with a file, sent before and after Authorize → 401, 200; the photo is shown as a picture', async () => {
  await openPage();
  const block = await tryOut('Photos', 'DevicesBySerialPhotoPost');
  const folder = temporaryFolder({ 'photo.png': PNG });
  await browser.type(`${field(block, 'serial')} input`, 'AB0001');
  await browser.type(`${field(block, 'title')} input`, 'Front & ü');
  await browser.choose(`${field(block, 'photo')} input[type=file]`, join(folder, 'photo.png'));
  await execute(block, '401');
  await browser.click(`${block} .btn-clear`);
  await authorize('bob');
  await execute(block, '200');
  assert.equal(await jsonShown(block), 'Front & ü');

  const shown = await tryOut('Photos', 'DevicesBySerialPhotoGet');
  await browser.type(`${field(shown, 'serial')} input`, 'AB0001');
  await execute(shown, '200');
  await browser.waitFor(
    'return document.querySelector(arguments[0])?.naturalWidth === 1',
    `${shown} .live-responses-table img`,
  );
  await assertClean(/ the server responded with a status of 401 /);
});

test('page – an EventSource in the page → gets a loan; after a disconnect it resumes after the last event', async () => {
  await openPage();
  await browser.run(`
    window.heard = [];
    window.source = new EventSource('/v2/devices/events');
    source.addEventListener('loan', ({ data, lastEventId }) => heard.push([JSON.parse(data).serial, lastEventId]));`);
  await browser.waitFor('return source.readyState === EventSource.OPEN');
  const lent = await browser.run(
    `return fetch('/v2/devices/AB0000/loan', {
      method: 'POST',
      headers: { ...arguments[0], 'Content-Type': 'application/json' },
      body: JSON.stringify({ until: '2026-12-01' }),
    }).then(({ status }) => status)`,
    asBob,
  );
  assert.equal(lent, 201);
  await browser.waitFor('return heard.length === 1');
  proxy.cut();
  await browser.waitFor('return source.readyState === EventSource.CONNECTING');
  const json = { until: '2026-12-02' };
  await application.request('/v2/devices/AB0002/loan', { method: 'POST', headers: asBob, json });
  await browser.waitFor('return heard.length === 2');
  assert.deepEqual(await browser.run('return heard'), [
    ['AB0000', '4'],
    ['AB0002', '5'],
  ]);
  await browser.run('source.close()');
  await assertClean(/\/v2\/devices\/events - Failed to load resource: net::ERR_/);
});

test('start page – a login by the form → the name, a session in a WebSocket of the page, and a logout', async () => {
  await browser.open(`http://${host}/`);
  await browser.type('[name=badge]', 'bob');
  await browser.click('button');
  await browser.waitFor('return document.querySelector("#user")?.textContent === "Bob"');
  assert.equal(await browser.run('return document.cookie'), '');
  const first = await browser.run(`
    const talk = new WebSocket('ws://' + location.host + '/v2/devices/AB0000/talk');
    return new Promise((resolve) => {
      talk.onopen = () => resolve('open');
      talk.onerror = () => resolve('refused');
    }).finally(() => talk.close());`);
  assert.equal(first, 'open');
  await browser.click('button');
  await browser.waitFor('return document.querySelector("[name=badge]") !== null');
  await assertClean(/favicon\.ico/);
});

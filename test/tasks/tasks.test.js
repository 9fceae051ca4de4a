/** Asks the programs of the three libraries the same rows: they do the same, or the row says where they do not. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ASK, LIBRARIES, OPEN } from './ask.js';
import { of } from './row.ts';
import { Shelf } from './shared.ts';

async function assertRow(library, app, row, path = row.path) {
  const body =
    row.form && Object.entries(row.form).reduce((all, [name, value]) => (all.set(name, value), all), new FormData());
  const reply = await ASK[library](app, { ...row, path, body });
  const text = await reply.text();
  assert.equal(reply.status, of(row.status, library), text);
  if (row.body !== undefined) assert.deepEqual(JSON.parse(text), row.body);
  const header = of(row.header, library);
  if (header !== undefined) assert.match(reply.headers.get(header[0]) ?? '', header[1]);
  for (const word of of(row.names ?? [], library)) assert.ok(text.includes(word), `${word} in ${text}`);
  return reply;
}

for (const task of ['auth', 'query', 'nested', 'upload', 'limit']) {
  const { ROWS } = await import(`./${task}.cases.ts`);
  for (const library of LIBRARIES) {
    const { app } = await import(`./${library}/${task}.ts`);
    await app.start?.();
    for (const row of ROWS)
      test(`${task} – ${library}, ${row.asks} → ${of(row.status, library)}`, () => assertRow(library, app, row));
  }
}

const { ROWS: storeRows } = await import('./store.cases.ts');
for (const library of LIBRARIES) {
  const { applicationWith, ShelfStore } = await import(`./${library}/store.ts`);
  for (const [name, makeStore] of [
    ['its own store', () => undefined],
    ['a shelf', () => new ShelfStore(new Shelf())],
  ]) {
    const app = await applicationWith(makeStore());
    let note = '';
    for (const row of storeRows)
      test(`store – ${library} with ${name}, ${row.asks} → ${of(row.status, library)}`, async () => {
        const reply = await assertRow(library, app, row, row.path.replace('{note}', note));
        if (reply.status === 201) note = reply.headers.get('Location');
      });
  }
  test(`store – ${library} with a shelf that is down → 500, and it answers once the shelf is there`, async () => {
    const shelf = new Shelf();
    const app = await applicationWith(new ShelfStore(shelf));
    shelf.isDown = true;
    assert.equal((await ASK[library](app, { path: '/notes' })).status, 500);
    shelf.isDown = false;
    assert.equal((await ASK[library](app, { path: '/notes' })).status, 200);
  });
}

for (const library of LIBRARIES) {
  const { app, newsroom } = await import(`./${library}/events.ts`);
  after(() => app.close?.());
  newsroom.tell('loan', 'AB1');
  newsroom.tell('return', 'AB1');

  test(`events – ${library}, what was missed, then what happens → each event, and the source ends with its client`, async () => {
    const stream = await OPEN[library](app, '/news', { 'Last-Event-ID': '1', Accept: 'text/event-stream' });
    assert.match(stream.mediaType, /^text\/event-stream/);
    assert.deepEqual(await stream.next(), { id: '2', event: 'return', data: '{"serial":"AB1"}' });
    newsroom.tell('loan', 'AB2');
    assert.deepEqual(await stream.next(), { id: '3', event: 'loan', data: '{"serial":"AB2"}' });
    assert.equal(newsroom.listenerCount('news'), 1);
    const left = new Promise((resolve) => newsroom.once('removeListener', resolve));
    await stream.leave();
    await left;
    assert.equal(newsroom.listenerCount('news'), 0);
    newsroom.told.splice(2);
  });

  test(`events – ${library}, without Last-Event-ID → what happens from now on`, async () => {
    const listening = new Promise((resolve) => newsroom.once('newListener', resolve));
    const opening = OPEN[library](app, '/news', { Accept: 'text/event-stream' });
    await listening;
    setImmediate(() => newsroom.tell('loan', 'AB3'));
    const stream = await opening;
    assert.deepEqual(await stream.next(), { id: '3', event: 'loan', data: '{"serial":"AB3"}' });
    await stream.leave();
  });
}

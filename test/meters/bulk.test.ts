/** Imports, exports, and readings as they come. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { meters } from './application.ts';
import { MemoryStore } from './memory-store.ts';
import { assertRow, KEYS, type Row, row, send, TOKENS } from './row.ts';
import { isSqliteThere, SqliteMeterStore } from './sqlite-store.ts';
import type { MeterStore } from './store.ts';

const NDJSON = { 'Content-Type': 'application/x-ndjson' };
const CSV = { 'Content-Type': 'text/csv; charset=utf-8' };
const line = (at: string, value: unknown, meter = 'EL0001') => JSON.stringify({ meter, at, value });
const IMPORT = 'POST /api/imports';
const EXPORT = 'GET /api/readings?meter=EL0001';
const BAD_LINES = [
  line('2026-01-01T00:00:00Z', 1),
  line('May', -1),
  '{"meter"',
  '',
  line('2026-01-01T00:00:00Z', 1, 'EL9'),
].join('\n');
const BAD_FIELDS = 'meter,at,value\r\nEL0001,2026-01-01T00:00:00Z,one\r\nEL0001,2026-01-01T00:00:00Z,\r\n';

const ROWS: readonly Row[] = [
  row('an import of a reader', 'reader', IMPORT, 403, { headers: NDJSON, text: line('2026-01-01T00:00:00Z', 1) }),
  row('an import of an unknown media type', 'keeper', IMPORT, 415, { json: [] }),
  row('an import with three bad lines', 'keeper', IMPORT, 400, {
    headers: NDJSON,
    text: BAD_LINES,
    places: ['/2/at', '/2/value', '/3', '/5/meter'],
    body: { detail: '3 of 4 readings are refused, so none is added', refused: 3 },
  }),
  row('an export, after an import that was refused', 'reader', EXPORT, 200, { body: '[]' }),
  row('an import in CSV with bad fields', 'keeper', IMPORT, 400, {
    headers: CSV,
    text: BAD_FIELDS,
    places: ['/2/value', '/3/value'],
  }),
  row('an import with an endless line', 'keeper', IMPORT, 400, {
    headers: NDJSON,
    text: 'x'.repeat(100_000),
    body: { detail: 'Line 1 is longer than 1000 characters' },
  }),
  row('an import in NDJSON', 'keeper', IMPORT, 200, {
    headers: NDJSON,
    text: `${line('2026-01-01T01:00:00+01:00', 1)}\r\n\r\n${line('2026-01-02T00:00:00Z', 2)}`,
    body: { lines: 2, added: 2 },
  }),
  row('an import in CSV, of which one reading is there already', 'keeper', IMPORT, 200, {
    headers: CSV,
    text: 'value,meter,at\n2,EL0001,2026-01-02T00:00:00Z\n3.5,EL0001,2026-01-03T00:00:00Z\n',
    body: { lines: 2, added: 1 },
  }),
  row('an export in JSON', 'reader', 'GET /api/readings?since=2026-01-03T00%3A00%3A00Z', 200, {
    body: '[{"meter":"EL0001","at":"2026-01-03T00:00:00.000Z","value":3.5}]',
  }),
  row('an export in CSV', 'reader', EXPORT, 200, {
    headers: { Accept: 'text/csv' },
    body: `meter,at,value\r\n${['1,1', '2,2', '3,3.5'].map((one) => `EL0001,2026-01-0${one.replace(',', 'T00:00:00.000Z,')}\r\n`).join('')}`,
    answers: { 'Content-Type': 'text/csv; charset=utf-8', Vary: 'Accept' },
  }),
  row('an export in NDJSON', 'reader', 'GET /api/readings?until=2026-01-02T00%3A00%3A00Z', 200, {
    headers: { Accept: 'application/x-ndjson, */*;q=0.1' },
    body: '{"meter":"EL0001","at":"2026-01-01T00:00:00.000Z","value":1}\n',
    answers: { 'Content-Type': /^application\/x-ndjson/ },
  }),
  row('an export in what it cannot be written in', 'reader', EXPORT, 200, {
    headers: { Accept: 'text/xml' },
    answers: { 'Content-Type': /^application\/json/ },
  }),
];

const STORES: readonly (readonly [name: string, open: () => MeterStore])[] = [
  ['memory', () => new MemoryStore()],
  ...(isSqliteThere ? [['SQLite', () => new SqliteMeterStore()] as const] : []),
];

for (const [name, open] of STORES) {
  const store = open();
  after(() => store.close());
  store.addSite({ id: 'north', name: 'North' });
  for (const serial of ['EL0001', 'EL0002'])
    store.addMeter({ serial, site: 'north', kind: 'electricity', unit: 'kWh' });
  const app = meters({ tokens: TOKENS, keys: KEYS, store });
  await app.start();

  for (const row of ROWS) test(`meters – in ${name}, ${row.asks} → ${row.status}`, () => assertRow(app.request, row));

  test(`meters – in ${name}, an export over several pages of the store → every reading once, in its order`, async () => {
    const mine = open();
    mine.addSite({ id: 'north', name: 'North' });
    const expected = ['EL0001', 'EL0002'].flatMap((meter) => {
      mine.addMeter({ meter, serial: meter, site: 'north', kind: 'electricity', unit: 'kWh' } as never);
      return Array.from({ length: 1001 }, (_, at) => ({ meter, at: new Date(at * 1000).toISOString(), value: at }));
    });
    const aside = mine.beginImport();
    aside.add(expected.toReversed());
    assert.equal(await aside.keep(), expected.length);
    assert.deepEqual(
      [...mine.eachReading({})].map((one) => ({ ...one })),
      expected,
    );
    aside.close();
    mine.close();
  });

  test(`meters – in ${name}, an import that is being kept → others read what was there, and see all of it or nothing`, async () => {
    const mine = open();
    mine.addSite({ id: 'north', name: 'North' });
    mine.addMeter({ serial: 'EL0001', site: 'north', kind: 'electricity', unit: 'kWh' });
    const readings = Array.from({ length: 5000 }, (_, at) => new Date(at * 1000).toISOString()).map((at) => ({
      meter: 'EL0001',
      at,
      value: 1,
    }));
    const aside = mine.beginImport();
    aside.add(readings);
    const keeping = aside.keep().then(() => false);
    const seen = new Set<number>();
    while (await Promise.race([keeping, setImmediate(true)])) seen.add([...mine.eachReading({})].length);
    seen.add([...mine.eachReading({})].length);
    assert.deepEqual(
      [...seen].filter((many) => many !== 0),
      [5000],
    );
    aside.close();
    const left = mine.beginImport();
    left.add([{ meter: 'EL0001', at: new Date(1).toISOString(), value: 1 }]);
    left.close();
    assert.equal([...mine.eachReading({})].length, 5000);
    mine.close();
  });

  test(`meters – in ${name}, live readings → what was missed, then each that comes, alone or in an import`, async () => {
    const stream = await app.request('/api/meters/EL0002/live', {
      headers: { Authorization: 'Bearer ada', 'Last-Event-ID': '0' },
    });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const told = async (at: string) => {
      while (!text.includes(at)) text += (await reader.read()).value;
    };
    const add = { as: 'keeper', method: 'POST', asks: '', status: 201 } as const;
    await send(app.request, {
      ...add,
      path: '/api/meters/EL0002/readings',
      json: { at: '2026-01-02T00:00:00Z', value: 2 },
    });
    await told('2026-01-02');
    const imported = line('2026-01-01T00:00:00Z', 1, 'EL0002');
    await send(app.request, row('another import', 'keeper', IMPORT, 200, { headers: NDJSON, text: imported }));
    await told('2026-01-01');
    assert.doesNotMatch(text, /EL0001/);
    await reader.cancel();
  });
}

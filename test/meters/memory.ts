/**
 * Measures what imports and exports of 50 MB take of the memory of a server process, over what it has at rest, how long
 * they take, and how long others wait meanwhile. It takes Linux, which tells the memory of a process, and a Node with
 * SQLite.
 *
 *     node --import tsx test/meters/memory.ts [MEGABYTES]
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const BYTES = Number(process.argv[2] ?? 50) * 1e6;
const KEEPER = { Authorization: 'Bearer bob' };
const folder = mkdtempSync(join(tmpdir(), 'meters-'));
const file = join(folder, 'meters.db');
const child = fork(new URL('main.ts', import.meta.url), [file]);

/** The readings of a minute each, as lines of about the given length together. */
function* lines(form: 'csv' | 'ndjson', bytes: number, from: number): Generator<string> {
  let sent = 0;
  if (form === 'csv') yield 'meter,at,value\n';
  for (let minute = from; sent < bytes; ) {
    let text = '';
    for (let many = 0; many < 500 && sent + text.length < bytes; many += 1, minute += 1) {
      const at = new Date(minute * 60_000).toISOString();
      text += form === 'csv' ? `EL0001,${at},${minute}\n` : `{"meter":"EL0001","at":"${at}","value":${minute}}\n`;
    }
    sent += text.length;
    yield text;
  }
}

const residentKilobytes = (): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]);

/** Sends a request whose reply is read to its end; returns its length, or its text where it is short. */
async function send(path: string, method: string, headers: Record<string, string>, body: Iterable<string> = []) {
  const sent = request(`${url}${path}`, { method, headers: { ...KEEPER, ...headers } });
  const [reply] = await Promise.all([
    once(sent, 'response').then(async ([incoming]) => {
      let length = 0;
      let text = '';
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length < 1000) text += chunk;
      }
      return { status: incoming.statusCode as number, length, text };
    }),
    pipeline(Readable.from(body), sent),
  ]);
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
  return reply;
}

/** Resident memory when the service has answered a little of everything, in kilobytes. */
let rest = 0;

/** What an action takes: the peak of memory over rest, its time, and the longest wait of another request. */
async function measured(what: string, action: () => Promise<{ length: number; text: string }>): Promise<void> {
  let peak = residentKilobytes();
  const timer = setInterval(() => (peak = Math.max(peak, residentKilobytes())), 5);
  let longest = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      const asked = performance.now();
      await send('/api/meters/EL0001', 'GET', {});
      longest = Math.max(longest, performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const began = performance.now();
  const { length, text } = await action();
  const seconds = (performance.now() - began) / 1000;
  isOver = true;
  clearInterval(timer);
  await others;
  const cells = [
    what,
    `${((peak - rest) / 1024).toFixed(1)} MiB over ${(rest / 1024).toFixed(0)}`,
    `${seconds.toFixed(1)} s`,
    `${longest.toFixed(0)} ms`,
    length < 100 ? text : `${(length / 1e6).toFixed(1)} MB`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

const [url] = (await once(child, 'message')) as [string];
try {
  const json = { 'Content-Type': 'application/json' };
  await send('/api/sites', 'POST', json, ['{"id":"north","name":"North"}']);
  await send('/api/sites/north/meters', 'POST', json, ['{"serial":"EL0001","kind":"electricity","unit":"kWh"}']);
  const types = { csv: { 'Content-Type': 'text/csv' }, ndjson: { 'Content-Type': 'application/x-ndjson' } };
  // At rest the code is compiled, and the heap has the size that it takes under any load.
  await send('/api/imports', 'POST', types.ndjson, lines('ndjson', 5e6, 0));
  await send('/api/imports', 'POST', types.csv, lines('csv', 5e6, 200_000));
  for (const Accept of ['application/json', 'text/csv', 'application/x-ndjson'])
    await send('/api/readings', 'GET', { Accept });
  rest = residentKilobytes();
  console.log(`\nNode ${process.version}, ${BYTES / 1e6} MB\n`);
  console.log('| | Memory | Time | Longest wait of others | Answer |\n| --- | --- | --- | --- | --- |');
  await measured('import of NDJSON', () => send('/api/imports', 'POST', types.ndjson, lines('ndjson', BYTES, 1e6)));
  await measured('import of CSV', () => send('/api/imports', 'POST', types.csv, lines('csv', BYTES, 5e6)));
  for (const Accept of ['application/json', 'text/csv', 'application/x-ndjson'])
    await measured(`export of ${Accept}`, () =>
      send('/api/readings?since=1971-01-01T00:00:00Z&until=1979-01-01T00:00:00Z', 'GET', { Accept }),
    );
  console.log(`\nThe file has ${(statSync(file).size / 1e6).toFixed(0)} MB.`);
} finally {
  child.kill();
  await once(child, 'exit');
  rmSync(folder, { recursive: true });
}

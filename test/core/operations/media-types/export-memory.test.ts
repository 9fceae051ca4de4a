/** The memory that an export of rows takes in a process of its own, with a fast client and with a slow one (D100). */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isLong, often } from '../../../support/long-run.ts';
import { SOURCE_LOADER } from '../../../support/program.ts';

const MEGABYTE = 1024 * 1024;
/** Of each export; the shortest row has 90 bytes. */
const BYTES = often(4, 50) * MEGABYTE;
const ROWS = Math.ceil(BYTES / 84);
const TYPES = ['application/json', 'text/csv', 'application/x-ndjson'];
/** More than this over rest is not taken. */
const MOST = 32 * MEGABYTE;

/** Reads all of it; a slow client waits for a millisecond after each part. */
async function read(port: number, accept: string, waits: boolean, isSlow: boolean): Promise<number> {
  const path = `/rows?count=${ROWS}&waits=${waits}`;
  const sent = request({ port, path, headers: { Accept: accept, Connection: 'close' } }).end();
  const [reply] = (await once(sent, 'response')) as [AsyncIterable<Buffer>];
  let bytes = 0;
  for await (const part of reply) {
    bytes += part.length;
    if (isSlow) await pause(1);
  }
  return bytes;
}

test('D100 – an export by row, in each media type, to a fast and a slow client → at most 32 MB over rest', async (t) => {
  const server = fork(fileURLToPath(new URL('export-server.ts', import.meta.url)), { execArgv: [...SOURCE_LOADER] });
  t.after(() => server.kill());
  const [{ port }] = (await once(server, 'message')) as [{ port: number }];
  const most = async (): Promise<number> => {
    server.send('most');
    const [answer] = (await once(server, 'message')) as [{ most: number }];
    return answer.most;
  };
  // The heap has the size that it takes under any load, and the code is compiled.
  for (const type of TYPES) for (const waits of [false, true]) await read(port, type, waits, false);
  await most();
  await pause(50);
  const rest = await most();
  for (const type of TYPES)
    for (const waits of [false, true])
      for (const isSlow of [false, true]) {
        const bytes = await read(port, type, waits, isSlow);
        const over = (await most()) - rest;
        const which = `${type}, ${waits ? 'asynchronous' : 'synchronous'} rows, ${isSlow ? 'slow' : 'fast'} client`;
        if (isLong)
          t.diagnostic(`${which}: ${(bytes / MEGABYTE).toFixed(0)} MB, ${(over / MEGABYTE).toFixed(1)} MB over rest`);
        assert.ok(bytes >= BYTES, `${which}: ${bytes} bytes`);
        assert.ok(over <= MOST, `${which}: ${over} bytes over rest`);
      }
});

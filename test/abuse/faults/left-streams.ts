import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { until } from '../../support/until.ts';
import { metric } from '../metric.ts';
import { startService } from '../running-service.ts';
import type { Fault } from './fault.ts';

const PLUGIN = fileURLToPath(new URL('event-stream.js', import.meta.url));
const LANES = 8;
const CLIENTS = 10_000 / LANES;

/** Asks for the stream, waits for its head and leaves. */
async function visit(port: number): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write('GET /events HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data');
  socket.destroy();
}

export const leftStreams: Fault = {
  name: 'ten thousand clients of an event stream that leave it, one after the other in eight lanes → nothing of them is left (D41)',
  async run() {
    const service = await startService({ flags: ['--metrics', 'on', '--plugin', PLUGIN] });
    const { port } = service;
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        for (let client = 0; client < CLIENTS; client++) await visit(port);
      }),
    );
    const open = async (): Promise<number> => Number(await (await fetch(`http://127.0.0.1:${port}/open`)).text());
    await until(async () => (await open()) === 0, 'every stream let go');
    await until(async () => (await metric(port, 'http_connections')) <= 2, 'no connection left');
    assert.equal(service.errors().replace(/^npm .*\n/gm, ''), '');
    assert.equal((await service.stop()).code, 0);
  },
};

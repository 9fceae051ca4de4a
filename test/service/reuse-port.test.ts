/** Several services on one port, with `--reuse-port` (D87). */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { emptyAccount, loadUntilGone } from '../abuse/faults/load.ts';
import { type RunningService, spawnService, startService } from '../abuse/running-service.ts';
import { ask } from '../support/ask.ts';
import { often } from '../support/long-run.ts';
import { until } from '../support/until.ts';

const LONG = { timeout: 180_000 };
/** In milliseconds: a start is slow on a busy machine. */
const PATIENCE = 60_000;
const RESTARTS = often(4, 20);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isAble = process.platform === 'linux' && (major > 22 || (major === 22 && minor >= 12));
const able = { ...LONG, skip: !isAble && 'it takes Linux and Node 22.12 or newer' };

async function start(t: TestContext, port = 0): Promise<RunningService> {
  const service = await startService({ port, flags: ['--reuse-port', 'on'] });
  t.after(() => void service.child.kill('SIGKILL'));
  return service;
}

/** Resolves when this many processes have answered. Request ids of one process have the same random prefix. */
async function answered(port: number, processes: number): Promise<void> {
  const seen = new Set<string>();
  await until(
    async () => {
      const { status, headers } = await ask(port, { target: '/api/todo', headers: { Connection: 'close' } });
      assert.equal(status, 200);
      return seen.add(headers['x-request-id']!.split('-', 1)[0]!).size === processes;
    },
    `an answer of ${processes} processes`,
    PATIENCE,
  );
}

test(
  'D87 – --reuse-port on, two services on one port → both answer; one stops, the other continues',
  able,
  async (t) => {
    const first = await start(t);
    const other = await start(t, first.port);
    await answered(first.port, 2);
    assert.deepEqual(await first.stop(), { code: 0, signal: null });
    await answered(first.port, 1);
    assert.deepEqual(await other.stop(), { code: 0, signal: null });
    assert.equal(first.errors() + other.errors(), '');
  },
);

test('D87 – --reuse-port on next to a service without it → the port is in use: one line, code 1', able, async (t) => {
  const { port, stop } = await startService();
  const { exited, errors } = spawnService({ port, flags: ['--reuse-port', 'on'] });
  assert.deepEqual(await exited, { code: 1, signal: null });
  assert.match(errors(), /^Cannot listen on "127\.0\.0\.1:\d+": another program listens there; .*\n$/);
  t.after(() => stop('SIGKILL'));
});

for (const [connections, header] of [
  ['kept', ''],
  ['new', 'Connection: close\r\n'],
] as const)
  test(
    `D87 – one of two is stopped and started ${RESTARTS} times under load, ${connections} connections → every accepted request is answered`,
    able,
    async (t) => {
      const spared = await start(t);
      const { port } = spared;
      let restarted = await start(t, port);
      const account = emptyAccount();
      const load = loadUntilGone(port, 16, () => `GET /api/todo HTTP/1.1\r\nHost: a\r\n${header}\r\n`, account);
      for (let count = 0; count < RESTARTS; count++) {
        const before = account.answered;
        await until(() => account.answered > before + 500, 'the load', PATIENCE);
        assert.deepEqual(await restarted.stop(), { code: 0, signal: null });
        restarted = await start(t, port);
      }
      const { asked, refused } = account;
      t.diagnostic(`${refused} of ${asked} requests met a connection that was not accepted`);
      assert.deepEqual(account.lost, []);
      // The system resets a connection that waits on a socket when the socket is closed.
      assert.ok(refused < asked / 100, `${refused} of ${asked}`);
      await Promise.all([spared.stop(), restarted.stop(), load]);
    },
  );

test(
  'D87 – --reuse-port on with a Unix socket, or on a system without shared ports → one line, code 2',
  LONG,
  async () => {
    const { exited, errors } = spawnService({ flags: ['--reuse-port', 'on', '--host', 'unix:/tmp/todo.sock'] });
    assert.deepEqual(await exited, { code: 2, signal: null });
    const cause = isAble
      ? '--host is a Unix socket, which only one service can listen on; leave out one of the two'
      : `Node ${process.versions.node} on ${process.platform} cannot share a port; run Node 22.12 or newer on Linux, or leave the setting out`;
    assert.equal(errors(), `Cannot use --reuse-port "on": ${cause}\n`);
  },
);

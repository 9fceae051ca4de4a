/** The behaviour of the process on a signal (D32). */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { HOME, startService } from '../abuse/running-service.ts';
import { Client } from '../support/ask.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const LONG = { timeout: 180_000 };

async function start(t: TestContext, flags: readonly string[]) {
  const service = await startService({ flags: ['--health-checks', 'on', ...flags] });
  t.after(() => void service.child.kill('SIGKILL'));
  let said = '';
  service.child.stdout!.on('data', (text: string) => {
    said += text;
  });
  const says = (text: string): Promise<void> => until(() => said.includes(text), text);
  return { ...service, says };
}

test(
  'D32 – SIGTERM with --drain-delay → /ready is 503, open and new connections get Connection: close, then code 0',
  LONG,
  async (t) => {
    const { port, child, exited, says } = await start(t, ['--drain-delay', '2s']);
    const targets = ['/api/todo', '/ready', '/health'];
    const kept = targets.map((target) => ({ client: new Client(port), target }));
    const askAll = (all: typeof kept) =>
      Promise.all(
        all.map(async ({ client, target }) => {
          const { status, headers } = await client.ask({ target });
          return [target, status, headers['connection']];
        }),
      );
    assert.deepEqual(
      await askAll(kept),
      targets.map((target) => [target, 200, 'keep-alive']),
    );
    child.kill('SIGTERM');
    await says('SIGTERM: stopping');
    const fresh = targets.map((target) => ({ client: new Client(port), target }));
    const expected = targets.map((target) => [target, target === '/ready' ? 503 : 200, 'close']);
    assert.deepEqual(await askAll([...kept, ...fresh]), [...expected, ...expected]);
    assert.deepEqual(await exited, { code: 0, signal: null });
  },
);

for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)
  test(
    `D32 – a second ${signal} in the delay → the process ends immediately, with the code of a killed process`,
    LONG,
    async (t) => {
      const { child, exited, says } = await start(t, ['--drain-delay', '1h']);
      child.kill(signal);
      await says(`${signal}: stopping`);
      child.kill(signal);
      assert.deepEqual(await exited, { code, signal: null });
    },
  );

test('D32 – SIGHUP and SIGUSR1 → a log line, no debugger, the service continues', LONG, async (t) => {
  const { port, child, says, stop, errors } = await start(t, []);
  const before = listeningSockets(child);
  child.kill('SIGUSR1');
  child.kill('SIGHUP');
  await says('SIGHUP: ignored; restart the service to apply changes\n');
  assert.equal((await new Client(port).ask({ target: '/ready' })).status, 200);
  assert.deepEqual(listeningSockets(child), before);
  assert.deepEqual(await stop(), { code: 0, signal: null });
  // Node prints a line when its debugger listens.
  assert.equal(errors(), '');
});

test('D32 – SIGHUP and SIGUSR1 while the service starts → the start continues', LONG, async (t) => {
  const plugin = `process.kill(process.pid, 'SIGHUP'); process.kill(process.pid, 'SIGUSR1');
    export default { name: 'hup', start: () => new Promise((resolve) => setTimeout(resolve, 100)) };`;
  const file = `${temporaryFolder({ 'hup.mjs': plugin })}/hup.mjs`;
  const { stop, errors } = await start(t, ['--plugin', file]);
  assert.deepEqual(await stop(), { code: 0, signal: null });
  assert.equal(errors(), '');
});

test('D32 – SIGTERM to npm start → the service below its shell stops too', LONG, async () => {
  const npm = spawn('npm', ['start', '--', '--port', '0'], { cwd: HOME, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (/Page .*\n/.test(printed)) npm.kill('SIGTERM');
  });
  // The service keeps the pipe open until it ends.
  await once(npm.stdout, 'close');
  assert.match(printed, /^SIGTERM: stopping$/m);
  const [, address = ''] = /(http:\/\/\S+)\/api\/todo/.exec(printed) ?? [];
  await assert.rejects(fetch(address), 'nothing listens');
});

/** The sockets on which a process listens, from /proc of Linux; empty on other systems. */
function listeningSockets({ pid }: ChildProcess): string[] {
  if (process.platform !== 'linux') return [];
  const own = readdirSync(`/proc/${pid}/fd`).map((descriptor) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1];
    } catch {
      return undefined;
    }
  });
  const lines = ['tcp', 'tcp6'].flatMap((family) => readFileSync(`/proc/net/${family}`, 'utf8').split('\n'));
  // The state 0A is LISTEN; the tenth column is the inode.
  const listening = lines.map((line) => line.trim().split(/\s+/)).filter((columns) => columns[3] === '0A');
  return listening.map((columns) => columns[9]!).filter((inode) => own.includes(inode));
}

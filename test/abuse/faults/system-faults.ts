/** Descriptors and folders that fail. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import { builtService } from '../built-service.ts';
import { addItem, assertIntact } from '../items.ts';
import { HOME, spawnService, startService } from '../running-service.ts';
import { assertAnswers, letGo, silentOnes } from './connections.ts';
import { type Fault, succeeds } from './fault.ts';

export const fewDescriptors: Fault = {
  name: 'no descriptors left → goes on when connections go',
  async run() {
    if (spawnSync('prlimit', ['--version']).error !== undefined) return 'there is no prlimit here';
    // The sources are many files, which are loaded at once.
    const service = await startService({
      program: [await builtService()],
      through: ['prlimit', '--nofile=64'],
      flags: ['--health-checks', 'on', '--static', 'static/site'],
    });
    const item = (await addItem(service.port, 'kept'))!;
    for (let round = 0; round < 3; round++) {
      const sockets = await silentOnes(service.port, 150);
      for (const socket of sockets) socket.write('GET /index.html HTTP/1.1\r\nHost: a\r\n\r\n');
      letGo(sockets.slice(0, 75));
      letGo(sockets);
      await until(() => succeeds(assertAnswers(service.port)), 'an answer after the connections have gone', 10_000);
    }
    // A connection of the last round may still be on its way out.
    await until(() => succeeds(assertIntact(service.port, [item])), 'the items');
    assert.equal((await service.stop()).code, 0);
  },
};

const PATHS = [
  '/swagger/ui',
  '/swagger/ui/index.html',
  '/swagger/ui/swagger-ui-bundle.js',
  '/swagger/ui/custom.css',
  '/',
  '/changing.txt',
  '/api/todo',
  '/swagger/v1/swagger.json',
];

export const folderGone: Fault = {
  name: 'page folder and static folder change, go and come back → 200 or 404, never 5xx',
  async run() {
    const home = mkdtempSync(join(tmpdir(), 'abuse-home-'));
    const site = join(home, 'site');
    const away = join(home, 'away');
    for (const part of ['src', 'static', 'package.json'])
      cpSync(join(HOME, part), join(home, part), { recursive: true });
    symlinkSync(join(HOME, 'node_modules'), join(home, 'node_modules'));
    mkdirSync(site);
    const service = await startService({ home, flags: ['--static', site] });
    const statuses = new Map<string, Set<number>>();
    try {
      let over = false;
      const asking = Promise.all(
        PATHS.map(async (path) => {
          while (!over) {
            const response = await fetch(`http://127.0.0.1:${service.port}${path}`);
            statuses.set(path, (statuses.get(path) ?? new Set()).add(response.status));
            // A file that becomes shorter while it is sent is cut; nobody may take a part for the whole.
            await response.arrayBuffer().catch(() => {});
          }
        }),
      );
      for (let round = 0; round < 40; round++) {
        writeFileSync(join(site, 'changing.txt'), 'x'.repeat((round * 7919) % 100_000));
        writeFileSync(join(site, 'index.html'), `round ${round}`);
        await fetch(`http://127.0.0.1:${service.port}/changing.txt`).then((response) => response.arrayBuffer());
        renameSync(round % 2 === 0 ? site : join(home, 'static'), away);
        await fetch(`http://127.0.0.1:${service.port}/swagger/ui/index.html`).then((response) =>
          response.arrayBuffer(),
        );
        renameSync(away, round % 2 === 0 ? site : join(home, 'static'));
      }
      over = true;
      await asking;
      for (const [path, seen] of statuses)
        assert.deepEqual(
          [...seen].filter((status) => status !== 200 && status !== 404),
          [],
          path,
        );
      assert.deepEqual([...statuses.get('/api/todo')!], [200]);
      assert.equal((await service.stop()).code, 0);
    } finally {
      service.child.kill('SIGKILL');
      rmSync(home, { recursive: true, force: true });
    }
  },
};

/** The superuser may read everything, so the service must be somebody else. */
const NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

export const unreadableFolder: Fault = {
  name: 'unreadable folder → refused at the start, or its files are not there; unreadable file → 404',
  async run() {
    const root = mkdtempSync(join(tmpdir(), 'abuse-'));
    const through = process.getuid?.() === 0 ? NOBODY : [];
    if (through.length > 0 && spawnSync(NOBODY[0]!, [...NOBODY.slice(1), process.execPath, '--version']).status !== 0)
      return 'this user reads everything and cannot become another';
    chmodSync(root, 0o755);
    const closed = join(root, 'closed');
    mkdirSync(closed);
    writeFileSync(join(closed, 'file.txt'), 'x');
    writeFileSync(join(root, 'secret.txt'), 'x');
    writeFileSync(join(root, 'open.txt'), 'x');
    chmodSync(closed, 0);
    chmodSync(join(root, 'secret.txt'), 0);
    try {
      const service = await startService({ through, flags: ['--static', root] });
      const statusOf = async (path: string): Promise<number> =>
        (await fetch(`http://127.0.0.1:${service.port}${path}`)).status;
      assert.deepEqual(
        [
          await statusOf('/secret.txt'),
          await statusOf('/closed/file.txt'),
          await statusOf('/open.txt'),
          await statusOf('/api/todo'),
        ],
        [404, 404, 200, 200],
      );
      chmodSync(root, 0);
      assert.equal(await statusOf('/other.txt'), 404);
      assert.equal(await statusOf('/swagger/ui'), 200);
      assert.equal((await service.stop()).code, 0);
      const refused = spawnService({ through, flags: ['--static', closed] });
      refused.child.stdout!.once('data', () => refused.child.kill('SIGTERM'));
      const { code } = await refused.exited;
      if (code !== 0) assert.match(refused.errors(), /^.*static.*\n$/);
    } finally {
      chmodSync(root, 0o755);
      rmSync(root, { recursive: true, force: true });
    }
  },
};

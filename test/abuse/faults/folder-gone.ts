import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOME, startService } from '../running-service.ts';
import type { Fault } from './fault.ts';

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

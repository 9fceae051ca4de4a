import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnService, startService } from '../running-service.ts';
import type { Fault } from './fault.ts';

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

/** Tests where a service listens (D45). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../house/source-files.ts';
import { LOADER, withLibrary } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What the system of a machine without IPv6 answers: EAFNOSUPPORT. */
const WITHOUT_IPV6 = `process.binding('tcp_wrap').TCP.prototype.bind6 = () => -97;`;
const LISTENING = withLibrary(`
  import { HttpService } from 'todo-item-service/extending';
  const service = new HttpService(() => ({ status: 200, headers: {} }));
  const { address } = await service.listen(0, process.argv[2]).catch(({ code }) => ({ address: code }));
  console.log(address);
  await service.close(0);
`);
const folder = temporaryFolder({ 'without-ipv6.cjs': WITHOUT_IPV6, 'listening.mjs': LISTENING });

for (const [host, hasIpv6, address] of [
  ['::', true, '::'],
  ['::', false, '0.0.0.0'],
  ['::1', false, 'EAFNOSUPPORT'],
  ['127.0.0.1', false, '127.0.0.1'],
] as const)
  test(`D45 – ${host}, a system ${hasIpv6 ? 'with' : 'without'} IPv6 → ${address}`, () => {
    const without = hasIpv6 ? [] : ['--no-deprecation', '--require', join(folder, 'without-ipv6.cjs')];
    const command = [...without, ...LOADER, join(folder, 'listening.mjs'), host];
    const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.equal(stdout, `${address}\n`);
  });

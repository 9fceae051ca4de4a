/** From the start of the process to its first answer, and what it holds in memory then; less is better. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { again, inSets, linesOf } from '../library/pairs.mjs';
import { memory, processorTime } from '../library/processor-time.mjs';
import { startServer } from '../library/server-process.mjs';
import { FLOOR, peers, released } from '../library/targets.mjs';

const ROWS = [
  { row: 'start to first answer', costOf: ({ used }) => used },
  { row: 'start to first answer, by the clock', costOf: ({ first }) => first },
  { row: 'memory at rest', costOf: ({ rest }) => rest },
];

const PARTS = fileURLToPath(new URL('../../release/parts.ts', import.meta.url));

export async function start(settings) {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  try {
    // What is in the image, for the Node that runs this.
    execFileSync(process.execPath, ['--import', 'tsx', PARTS, folder]);
    return await startFrom({ name: 'image', file: join(folder, 'todo.cjs') }, settings);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function startFrom(image, { quick, service, peer, sets = quick ? 2 : 5, rounds = quick ? 5 : 8 }) {
  const targets = [
    FLOOR,
    service,
    { ...service, name: again('ours') },
    image,
    ...released().filter(({ file, program }) => existsSync(program?.[0] ?? file)),
  ];
  if (peer) targets.push(...peers());
  // The first start of each reads its files from the disk; it does not count.
  for (const target of targets) await measured(target);
  const open = () => targets.map((target) => ({ name: target.name, slice: () => measured(target), close() {} }));
  const results = await inSets({ sets, rounds, seconds: quick ? 10 : 30, uncounted: 0 }, open);
  const pairs = targets
    .filter(({ name }) => name !== 'floor' && name !== again('ours'))
    .map(({ name }) => [name, 'floor']);
  return ROWS.flatMap((row) => linesOf({ ...row, results, pairs }));
}

async function measured(target) {
  const server = await startServer(target);
  const figures = { first: server.firstAnswer, used: processorTime(server.pid) / 1e6, rest: memory(server.pid) };
  await server.stop();
  return figures;
}

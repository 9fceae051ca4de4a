/** From the start of the process to its first answer, and what it holds in memory then; less is better. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linesTable } from '../library/lines-table.mjs';
import { again, inSets, linesOf } from '../library/pairs.mjs';
import { memory, processorTime } from '../library/processor-time.mjs';
import { startServer } from '../library/server-process.mjs';
import { FLOOR, peers } from '../library/targets.mjs';

const ROWS = [
  { row: 'start to first answer', costOf: ({ used }) => used },
  { row: 'start to first answer, by the clock', costOf: ({ first }) => first },
  { row: 'memory at rest', costOf: ({ rest }) => rest },
];

const ONE_FILE = fileURLToPath(new URL('../../release/one-file.ts', import.meta.url));

export async function start(settings) {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  const file = join(folder, 'todo.cjs');
  try {
    execFileSync(process.execPath, ['--import', 'tsx', ONE_FILE, file], { stdio: 'pipe' });
    // As in the image: its cache is warm from the first start on, which does not count.
    const image = { name: 'image', file, env: { NODE_COMPILE_CACHE: join(folder, 'cache') } };
    return await startFrom([image, { name: 'todo.cjs', file }], settings);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function startFrom(files, { quick, service }) {
  const amount = quick ? { sets: 2, rounds: 5, seconds: 10 } : { sets: 5, rounds: 8, seconds: 30 };
  const others = peers('hono');
  const targets = [FLOOR, service, { ...service, name: again('ours') }, ...files, ...others];
  // The first start of each reads its files from the disk, and compiles them.
  for (const target of targets) await measured(target);
  const open = () => targets.map((target) => ({ name: target.name, slice: () => measured(target), close() {} }));
  const results = await inSets({ ...amount, uncounted: 0 }, open);
  const pairs = [
    ...['ours', ...files.map(({ name }) => name)].map((name) => [name, 'hono']),
    ...targets.filter(({ name }) => name !== 'floor' && name !== again('ours')).map(({ name }) => [name, 'floor']),
  ];
  return linesTable(ROWS.flatMap((row) => linesOf({ ...row, results, pairs })));
}

async function measured(target) {
  const server = await startServer(target);
  const figures = { first: server.firstAnswer, used: processorTime(server.pid) / 1e6, rest: memory(server.pid) };
  await server.stop();
  return figures;
}

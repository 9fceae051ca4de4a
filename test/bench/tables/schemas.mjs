/**
 * Reading a body and writing a value by a schema, from closures that are made once, against peers that make code: ajv
 * and fast-json-stringify.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { inSets, linesOf } from '../library/pairs.mjs';
import { schemaCases } from '../library/schema-cases.mjs';
import { startSubject } from '../library/subject.mjs';
import { hasPeer } from '../library/targets.mjs';

const FILE = new URL('../subjects/schemas.mjs', import.meta.url).pathname;
/** The first way of each is the one to which the others are compared. */
const WAYS = {
  reading: ['JSON.parse + ajv', 'ours', 'JSON.parse alone'],
  writing: ['fast-json-stringify', 'ours', 'JSON.stringify'],
};

export async function schemas({ quick, service, sets = 3, rounds = quick ? 4 : 10 }) {
  if (!['ajv', 'ajv-formats', 'fast-json-stringify'].every(hasPeer)) return [];
  const folder = mkdtempSync(join(tmpdir(), 'bench-schemas-'));
  const env = { BENCH_ENGINE: builtEngine(service, folder) };
  const lines = [];
  try {
    for (const [name, { isWrong }] of Object.entries(schemaCases((_, one) => one)))
      for (const act of isWrong ? ['reading'] : ['reading', 'writing']) {
        const job = `${act} ${name}`;
        const results = await inSets({ sets, rounds, seconds: 5 }, async () => {
          const { ask, stop } = startSubject(FILE, { env });
          const timeOf = async (way, milliseconds) => (await ask({ job, way, milliseconds })).nanoseconds;
          for (const way of WAYS[act]) await timeOf(way, 300);
          return WAYS[act].map((way, at) => ({
            name: way,
            slice: () => timeOf(way, 20),
            close: at === 0 ? stop : () => {},
          }));
        });
        const [peer, ours, engine] = WAYS[act];
        const pairs = [
          [ours, peer],
          [engine, peer],
        ];
        lines.push(
          ...linesOf({ row: job, results, pairs, costOf: (nanoseconds) => nanoseconds / 1000, speed: true, digits: 2 }),
        );
      }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return lines;
}

/** The package does not export the validator, so the engine is built from the sources beside the service. */
function builtEngine({ file }, folder) {
  const outfile = join(folder, 'engine.mjs');
  const contents = `
    export { schema } from './schema.ts';
    export { serializer } from './serialize.ts';
    export { bodyValidator } from './judge.ts';
  `;
  const resolveDir = join(dirname(dirname(file)), 'src/operations/schema');
  buildSync({
    stdin: { contents, resolveDir },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  return outfile;
}

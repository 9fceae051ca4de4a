/**
 * Reading a body and writing a value by a schema, from closures that are made once, against peers that make code: ajv
 * and fast-json-stringify.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { table } from '../library/markdown.mjs';
import { inRounds } from '../library/rounds.mjs';
import { schemaCases } from '../library/schema-cases.mjs';
import { median, number, spread } from '../library/statistics.mjs';
import { startSubject } from '../library/subject.mjs';
import { hasPeer } from '../library/targets.mjs';

const FILE = new URL('../subjects/schemas.mjs', import.meta.url).pathname;
/** The first way of each is the one to which the others are compared. */
const WAYS = {
  reading: ['JSON.parse + ajv', 'ours', 'JSON.parse alone'],
  writing: ['fast-json-stringify', 'ours', 'JSON.stringify'],
};

export async function schemas({ quick, service, rounds = quick ? 5 : 25 }) {
  if (!['ajv', 'ajv-formats', 'fast-json-stringify'].every(hasPeer)) return 'Not measured without the peers.';
  const folder = mkdtempSync(join(tmpdir(), 'bench-schemas-'));
  try {
    const { ask, stop } = startSubject(FILE, { env: { BENCH_ENGINE: builtEngine(service, folder) } });
    const jobs = Object.entries(schemaCases((_, one) => one)).flatMap(([name, { isWrong }]) =>
      (isWrong ? ['reading'] : ['reading', 'writing']).map((act) => ({ name, act, job: `${act} ${name}` })),
    );
    for (const { act, job } of jobs)
      for (const way of WAYS[act]) await ask({ job, way, milliseconds: quick ? 60 : 400 });
    const measured = [];
    for (const one of jobs) {
      const ways = WAYS[one.act].map((name) => ({ name }));
      const times = await inRounds(
        ways,
        rounds,
        async ({ name }) => (await ask({ job: one.job, way: name, milliseconds: quick ? 15 : 50 })).nanoseconds,
      );
      measured.push({ ...one, times });
    }
    await stop();
    return Object.keys(WAYS)
      .map((act) =>
        actTable(
          act,
          measured.filter((one) => one.act === act),
        ),
      )
      .join('\n\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The package does not export the validator, so the engine is built from the sources beside the service. */
function builtEngine({ file }, folder) {
  const outfile = join(folder, 'engine.mjs');
  const contents = `
    export { schema } from './schema.ts';
    export { serializer } from './serialize.ts';
    export { bodyValidator } from './judge.ts';
  `;
  const resolveDir = join(dirname(dirname(file)), 'src/core/operations/schema');
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

function actTable(act, measured) {
  const [base] = WAYS[act];
  const rows = measured.flatMap(({ name, times }) =>
    WAYS[act].map((way) => {
      const ratios = times.get(way).map((time, round) => time / times.get(base)[round]);
      const isBase = way === base;
      return [
        isBase ? `**${name}**` : '',
        way,
        number(median(times.get(way))),
        isBase ? '' : spread(ratios),
        isBase ? '' : `**${number(median(ratios), 2)}**`,
      ];
    }),
  );
  return `**${act}** (less is better)\n\n${table([act, 'way', 'ns', 'middle half', `time over ${base}`], rows)}`;
}

/**
 * `npm run bench`: the service against a floor, a hand-written `node:http` server, and against peers where they are
 * installed.
 *
 *     npm run bench                          everything
 *     npm run bench -- --quick               the short form for every day, some two minutes
 *     npm run bench -- --node 20,22,24,26    these versions side by side, six minutes each
 *     npm run bench -- --only http,start   these tables; also --rounds N, --sets N, --service FOLDER (another build),
 *                                            --row POST (of http)
 *     npm ci --ignore-scripts --prefix test/bench/peers    once, to have the peers measured too
 *     npm ci --ignore-scripts --prefix test/release        once, to have the versions of Node
 *
 * Every figure is a ratio within short alternating slices: absolute ones are this machine's and this hour's.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linesTable } from './library/lines-table.mjs';
import { stopLoad } from './library/load.mjs';
import { machineLines } from './library/machine.mjs';
import { options } from './library/options.mjs';
import { absentPeers, serviceAt } from './library/targets.mjs';
import { TABLES } from './tables/all.mjs';

const words = process.argv.slice(2);
const { only, service, node, json, ...asked } = options(words, TABLES);
const isWanted = ({ name, quick }) => only?.includes(name) ?? (quick || !asked.quick);
const wanted = TABLES.filter(isWanted);
const settings = { ...asked, service: serviceAt(service && resolve(service)) };
const [own] = process.versions.node.split('.');

/** What another version of Node measures: lines by table. Its errors are printed, and it has no lines then. */
async function linesOn(version) {
  const program = fileURLToPath(new URL(`../release/node_modules/node-${version}/bin/node`, import.meta.url));
  if (!existsSync(program)) {
    console.error(
      `Cannot measure with --node "${version}": this version is not installed; give a version such as 24, not a file, ` +
        'and install the versions: npm ci --ignore-scripts --prefix test/release',
    );
    process.exit(2);
  }
  const child = spawn(program, [process.argv[1], '--json', ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return new Map(text.trim().split('\n').filter(Boolean).map(JSON.parse));
}

async function measured(print) {
  for (const table of wanted) {
    const from = performance.now();
    print(table, await table.make(settings));
    console.error(`Node ${own}, ${table.name}: ${Math.round((performance.now() - from) / 1000)} s`);
  }
  await stopLoad();
}

if (json) await measured(({ name }, lines) => console.log(JSON.stringify([name, lines])));
else {
  const command = ['npm run bench', ...(words.length > 0 ? ['--', ...words] : [])].join(' ');
  console.log(`# Bench\n\n${machineLines(command)}`);
  const absent = absentPeers();
  if (absent.length > 0)
    console.log(
      `- not installed and not measured (\`npm ci --ignore-scripts --prefix test/bench/peers\`): ${absent.join(', ')}`,
    );
  const started = performance.now();
  if (node === undefined)
    await measured(({ title }, lines) => console.log(`\n## ${title}\n\n${linesTable(new Map([[own, lines]]))}`));
  else {
    const versions = new Map();
    for (const version of node.split(',')) versions.set(version, await linesOn(version));
    for (const { name, title } of wanted)
      console.log(
        `\n## ${title}\n\n${linesTable(new Map([...versions].map(([version, lines]) => [version, lines.get(name) ?? []])))}`,
      );
  }
  console.log(`\nTook ${Math.round((performance.now() - started) / 1000)} s.`);
}

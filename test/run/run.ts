/**
 * Runs the tests: `npm test` those that one waits for, `npm run test:all` those of `apart.ts` too, `npm test -- WORD…`
 * the files whose path contains one of the words, and `npm run test:long` the files that repeat something, in their
 * long form (`support/long-run.ts`); with words, the files of these words.
 *
 * A process runs several files; there are two processes more than the machine has cores, for some wait most of the
 * time. The exit code is 1 if a test has failed, if a process has crashed or hung, or if a file has not run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { filesIn, ROOT } from '../house/source-files.ts';
import { sourceLoader } from '../support/program.ts';
import { ALONE } from './alone.ts';
import { APART } from './apart.ts';
import { builtForTests } from './built.ts';
import { processorSeconds } from './processor-seconds.ts';
import { type FileReport, readReport, shareCommand } from './report.ts';

const FILES_IN_A_PROCESS = 14;
const CORES = availableParallelism();

const { values, positionals: words } = parseArgs({
  options: { all: { type: 'boolean', default: false }, long: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const { all, long: isLong } = values;
/** A process that takes longer hangs. */
const LIMIT = (isLong ? 20 : 6) * 60_000;

/** The lines of the sources are told by tsx; what tests start is not measured, and is what is built. */
const isMeasured = process.env['NODE_V8_COVERAGE'] !== undefined;
const began = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'tests-'));
const built = await builtForTests();
const env = { ...process.env, BUILT_FOR_TESTS: built, ...(isLong ? { LONG_TESTS: '1' } : {}) };

const counts = { tests: 0, pass: 0, fail: 0, skipped: 0 };
/** How many tests, and suites as a whole, were skipped, by the reason that they give. */
const skips = new Map<string, number>();
const reports = new Map<string, FileReport>();

const isApart = (file: string): boolean => Object.keys(APART).some((place) => file.startsWith(place));

function isChosen(file: string): boolean {
  if (words.length > 0) return words.some((word) => file.includes(word));
  if (isLong) return readFileSync(join(ROOT, file), 'utf8').includes('/support/long-run.ts');
  return all || !isApart(file);
}

/** The files of each process. Files of one folder take similar times, so they go to different processes. */
function sharesOf(files: readonly string[]): string[][] {
  const together = files.filter((file) => !(file in ALONE));
  const count = Math.ceil(together.length / FILES_IN_A_PROCESS);
  return [
    ...files.filter((file) => file in ALONE).map((file) => [file]),
    ...Array.from({ length: count }, (_, at) => together.filter((_file, number) => number % count === at)),
  ];
}

/** Runs the files in a process; gives what is wrong with the process itself, if anything is. */
async function runShare(files: readonly string[], number: number): Promise<string | undefined> {
  const [report, output] = [join(folder, `${number}.report`), join(folder, `${number}.output`)];
  const descriptor = openSync(output, 'w');
  const command = shareCommand(files, report, sourceLoader(isMeasured ? undefined : built));
  const child = spawn(process.execPath, command, { cwd: ROOT, env, stdio: ['ignore', descriptor, descriptor] });
  closeSync(descriptor);
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  const { files: ran, hasEnded } = readReport(report);
  for (const [file, report] of ran) count(file, report);
  const hasFailed = [...ran.values()].some(({ endings }) => endings.some(({ error }) => error !== undefined));
  if (hasEnded && (code === 0 || hasFailed)) return undefined;
  const how = signal === 'SIGKILL' ? `has not ended within ${LIMIT / 1000} s` : `has ended with ${code ?? signal}`;
  return `${[...ran.keys()].at(-1) ?? files[0]}: the process ${how}\n${readFileSync(output, 'utf8').slice(-5000)}`;
}

function count(file: string, report: FileReport): void {
  reports.set(file, report);
  for (const { name, suite, skipped, error } of report.endings) {
    if (error !== undefined) {
      counts.fail++;
      console.log(`not ok - ${file} – ${name}\n${error.replaceAll(/^/gm, '    ')}`);
    }
    if (skipped !== undefined) skips.set(skipped, (skips.get(skipped) ?? 0) + 1);
    if (suite) continue;
    counts.tests++;
    if (skipped !== undefined) counts.skipped++;
    else if (error === undefined) counts.pass++;
  }
}

const tests = filesIn('test').filter((file) => file.endsWith('.test.ts'));
const files = tests.filter(isChosen);
const shares = sharesOf(files);
const faults: string[] = [];
let next = 0;
await Promise.all(
  Array.from({ length: CORES + 2 }, async () => {
    while (next < shares.length) {
      const number = next++;
      const fault = await runShare(shares[number]!, number);
      if (fault === undefined) continue;
      faults.push(fault);
      console.log(`not ok - ${fault}`);
    }
  }),
);
for (const file of files.filter((one) => !reports.has(one))) {
  faults.push(file);
  console.log(`not ok - ${file} has not run`);
}
if (files.length === 0) console.log('not ok - there is no such test file');

for (const made of [folder, built]) rmSync(made, { recursive: true, force: true });
/** The five files that have most of it. */
function most(unit: string, of: (report: FileReport) => number): void {
  const sorted = [...reports].sort(([, one], [, other]) => of(other) - of(one)).slice(0, 5);
  for (const [file, report] of sorted) console.log(`# ${of(report).toFixed(1)} ${unit} in ${file}`);
}
most('s', ({ milliseconds }) => milliseconds / 1000);
most('s of processor time', ({ processor }) => processor);
for (const [name, number] of Object.entries(counts)) console.log(`# ${name} ${number}`);
for (const [reason, number] of skips) console.log(`# ${number} skipped: ${reason}`);
if (!all && !isLong && words.length === 0)
  console.log(`# ${tests.length - files.length} files that start much beside them are left to npm run test:all`);
const seconds = Math.round((performance.now() - began) / 1000);
const load = loadavg().map((one) => one.toFixed(1));
console.log(
  `# ${files.length} files in ${shares.length} processes, ${seconds} s on ${CORES} cores, load ${load.join(' ')}, ` +
    `${Math.round(processorSeconds())} s of processor time`,
);
process.exitCode = counts.fail + faults.length === 0 && files.length > 0 ? 0 : 1;

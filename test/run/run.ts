/**
 * Runs the tests.
 * - `npm test` runs the fast files.
 * - `npm run test:all` also runs the slow files of `apart.ts`.
 * - `npm test -- WORD…` runs the files whose path contains one of the words.
 * - `npm run test:long` runs the long form of the files that repeat a test (`support/long-run.ts`).
 *
 * A process runs several files. Two more processes run than the machine has cores, because some of them mostly wait.
 * The exit code is 1 if a test fails, if a process crashes or hangs, or if a file does not run.
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
/** The time limit of a process in milliseconds. */
const LIMIT = (isLong ? 20 : 6) * 60_000;

/** With coverage, tsx compiles the sources, because it maps the lines. Programs that tests start are not measured. */
const isMeasured = process.env['NODE_V8_COVERAGE'] !== undefined;
const began = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'tests-'));
const built = await builtForTests();
const env = { ...process.env, BUILT_FOR_TESTS: built, ...(isLong ? { LONG_TESTS: '1' } : {}) };

const counts = { tests: 0, pass: 0, fail: 0, skipped: 0 };
/** The number of skipped tests and whole suites for each reason. */
const skips = new Map<string, number>();
const reports = new Map<string, FileReport>();

const isApart = (file: string): boolean => Object.keys(APART).some((place) => file.startsWith(place));

function isChosen(file: string): boolean {
  if (words.length > 0) return words.some((word) => file.includes(word));
  if (isLong) return readFileSync(join(ROOT, file), 'utf8').includes('/support/long-run.ts');
  return all || !isApart(file);
}

/** Returns the files of each process. Files of one folder take similar times, so they go to different processes. */
function sharesOf(files: readonly string[]): string[][] {
  const together = files.filter((file) => !(file in ALONE));
  const count = Math.ceil(together.length / FILES_IN_A_PROCESS);
  return [
    ...files.filter((file) => file in ALONE).map((file) => [file]),
    ...Array.from({ length: count }, (_, at) => together.filter((_file, number) => number % count === at)),
  ];
}

/** Runs the files in a process. Returns a message if the process itself fails. */
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
  const how = signal === 'SIGKILL' ? `did not end within ${LIMIT / 1000} s` : `ended with ${code ?? signal}`;
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
for (const file of files.filter((path) => !reports.has(path))) {
  faults.push(file);
  console.log(`not ok - ${file} has not run`);
}
if (files.length === 0) console.log('not ok - no test file matches');

for (const temporary of [folder, built]) rmSync(temporary, { recursive: true, force: true });
/** Prints the five files with the highest values. */
function most(unit: string, of: (report: FileReport) => number): void {
  const sorted = [...reports].sort(([, one], [, other]) => of(other) - of(one)).slice(0, 5);
  for (const [file, report] of sorted) console.log(`# ${of(report).toFixed(1)} ${unit} in ${file}`);
}
most('s', ({ milliseconds }) => milliseconds / 1000);
most('s of processor time', ({ processor }) => processor);
for (const [name, number] of Object.entries(counts)) console.log(`# ${name} ${number}`);
for (const [reason, number] of skips) console.log(`# ${number} skipped: ${reason}`);
if (!all && !isLong && words.length === 0)
  console.log(`# ${tests.length - files.length} slow files are omitted; npm run test:all runs them`);
const seconds = Math.round((performance.now() - began) / 1000);
const load = loadavg().map((average) => average.toFixed(1));
console.log(
  `# ${files.length} files in ${shares.length} processes, ${seconds} s on ${CORES} cores, load ${load.join(' ')}, ` +
    `${Math.round(processorSeconds())} s of processor time`,
);
process.exitCode = counts.fail + faults.length === 0 && files.length > 0 ? 0 : 1;

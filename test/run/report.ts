/** Starts a process that runs several files (`share.ts`), and reads what it reports (`reporter.mjs`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCE_LOADER } from '../support/program.ts';

/** In front of the path of a file, in the name of the test that imports it. */
export const IMPORT = 'import of ';
/** The name of the last test of a process. */
export const END = 'end of all files';

/** How a test has ended. */
export interface Ending {
  readonly name: string;
  /** 0 unless it is within another one. */
  readonly nesting: number;
  readonly milliseconds: number;
  readonly suite?: true;
  readonly skipped?: string;
  readonly error?: string;
}

/** The processor time of the process, in seconds: when it begins a file, and behind the last one. */
export interface Cost {
  readonly processor: number;
}

/** What came of a file. */
export interface FileReport {
  /** How its tests have ended, in their order; its import is among them if it has failed. */
  readonly endings: Ending[];
  /** With its import. */
  milliseconds: number;
  /** Seconds, with its import; not a number if the process has not come to its end. */
  processor: number;
}

/** What a process reports. */
export interface Report {
  readonly files: ReadonlyMap<string, FileReport>;
  /** Whether all tests of all files have ended. */
  readonly hasEnded: boolean;
}

/** The arguments for node that run these files; `report` is the file for the report. */
export function shareCommand(files: readonly string[], report: string, sources = SOURCE_LOADER): string[] {
  const [share, reporter] = ['share.ts', 'reporter.mjs'].map((name) => join(import.meta.dirname, name));
  return [...sources, '--test-reporter', reporter!, '--test-reporter-destination', report, share!, ...files];
}

export function readReport(report: string): Report {
  const files = new Map<string, FileReport>();
  const costs: number[] = [];
  let file: FileReport = { endings: [], milliseconds: 0, processor: 0 };
  let hasEnded = false;
  // A process that is killed leaves half a line behind the last end of a line.
  for (const line of readFileSync(report, 'utf8').split('\n').slice(0, -1)) {
    const said = JSON.parse(line) as Ending | Cost;
    if ('processor' in said) {
      costs.push(said.processor);
      continue;
    }
    const isImport = said.name.startsWith(IMPORT);
    if (said.name === END) hasEnded = true;
    else if (isImport)
      files.set(said.name.slice(IMPORT.length), (file = { endings: [], milliseconds: 0, processor: 0 }));
    if (said.nesting === 0) file.milliseconds += said.milliseconds;
    if (said.name !== END && (!isImport || said.error !== undefined)) file.endings.push(said);
  }
  for (const [at, one] of [...files.values()].entries()) one.processor = (costs[at + 1] ?? NaN) - costs[at]!;
  return { files, hasEnded };
}

/** Creates the command that runs several files in a process (`share.ts`), and reads its report (`reporter.mjs`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The prefix of the name of a test that imports a file. The path follows. */
export const IMPORT = 'import of ';
/** The name of the last test of a process. */
export const END = 'end of all files';

/** The result of a test. */
export interface Ending {
  readonly name: string;
  /** 0 unless the test is nested in another test. */
  readonly nesting: number;
  readonly milliseconds: number;
  readonly suite?: true;
  readonly skipped?: string;
  readonly error?: string;
}

/** The processor time of the process in seconds, before each file and after the last one. */
export interface Cost {
  readonly processor: number;
}

/** The results of a file. */
export interface FileReport {
  /** The results of its tests, in order. A failed import is included. */
  readonly endings: Ending[];
  /** The duration, with the import. */
  milliseconds: number;
  /** The processor time in seconds, with the import; NaN if the process has not completed. */
  processor: number;
}

/** The report of a process. */
export interface Report {
  readonly files: ReadonlyMap<string, FileReport>;
  /** Whether all tests of all files have ended. */
  readonly hasEnded: boolean;
}

/** Returns the arguments for node that run these files. `report` is the path of the report. */
export function shareCommand(files: readonly string[], report: string, sources: readonly string[]): string[] {
  const [share, reporter] = ['share.ts', 'reporter.mjs'].map((name) => join(import.meta.dirname, name));
  return [...sources, '--test-reporter', reporter!, '--test-reporter-destination', report, share!, ...files];
}

export function readReport(report: string): Report {
  const files = new Map<string, FileReport>();
  const costs: number[] = [];
  let file: FileReport = { endings: [], milliseconds: 0, processor: 0 };
  let hasEnded = false;
  // A killed process can leave an incomplete last line.
  for (const line of readFileSync(report, 'utf8').split('\n').slice(0, -1)) {
    const entry = JSON.parse(line) as Ending | Cost;
    if ('processor' in entry) {
      costs.push(entry.processor);
      continue;
    }
    const isImport = entry.name.startsWith(IMPORT);
    if (entry.name === END) hasEnded = true;
    else if (isImport)
      files.set(entry.name.slice(IMPORT.length), (file = { endings: [], milliseconds: 0, processor: 0 }));
    if (entry.nesting === 0) file.milliseconds += entry.milliseconds;
    if (entry.name !== END && (!isImport || entry.error !== undefined)) file.endings.push(entry);
  }
  for (const [at, report] of [...files.values()].entries()) report.processor = (costs[at + 1] ?? NaN) - costs[at]!;
  return { files, hasEnded };
}

/** Starts a process that runs several files (`share.ts`), and reads what it reports (`reporter.mjs`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** What a process reports. */
export interface Report {
  /** How the tests of each file have ended, in their order; the import of a file is among them if it has failed. */
  readonly files: ReadonlyMap<string, Ending[]>;
  /** Whether all tests of all files have ended. */
  readonly hasEnded: boolean;
}

/** The arguments for node that run these files; `report` is the file for the report. */
export function shareCommand(files: readonly string[], report: string): string[] {
  const [share, reporter] = ['share.ts', 'reporter.mjs'].map((name) => join(import.meta.dirname, name));
  return ['--import', 'tsx', '--test-reporter', reporter!, '--test-reporter-destination', report, share!, ...files];
}

export function readReport(report: string): Report {
  const files = new Map<string, Ending[]>();
  let endings: Ending[] = [];
  let hasEnded = false;
  // A process that is killed leaves half a line behind the last end of a line.
  for (const line of readFileSync(report, 'utf8').split('\n').slice(0, -1)) {
    const ending = JSON.parse(line) as Ending;
    if (ending.name === END) hasEnded = true;
    else if (ending.name.startsWith(IMPORT)) {
      endings = ending.error === undefined ? [] : [ending];
      files.set(ending.name.slice(IMPORT.length), endings);
    } else endings.push(ending);
  }
  return { files, hasEnded };
}

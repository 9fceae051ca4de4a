/** Finds the facts about a build: the version, the commit and its time (D88). */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The inputs of a build. */
const BUILT = ['src', 'static', 'test/release', 'package.json', 'package-lock.json', 'tsconfig.json'];

/** The facts about a build. */
export interface BuildFacts {
  readonly version: string;
  /** The commit, followed by `, changed` if files differ from it; `unknown` without a source. */
  readonly commit: string;
  /** The time of the commit in milliseconds since 1970; 0 without a source. */
  readonly modified: number;
}

/** Reads the variables `COMMIT` and `SOURCE_DATE_EPOCH` (in seconds), as in an image without git, or asks git. */
export function buildFacts(environment: Readonly<Record<string, string | undefined>> = process.env): BuildFacts {
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { readonly version: string };
  const { COMMIT: given, SOURCE_DATE_EPOCH: epoch } = environment;
  const commit = given || commitOf(git('rev-parse', '--short=12', 'HEAD'));
  const seconds = Number(epoch || git('log', '-1', '--format=%ct') || 0);
  if (!Number.isSafeInteger(seconds) || seconds < 0)
    throw new RangeError(`Cannot build: SOURCE_DATE_EPOCH "${epoch}" is not a time; set it to seconds since 1970`);
  return { version, commit, modified: seconds * 1000 };
}

/** Returns the text that `--version` prints. */
export const versionText = ({ version, commit }: BuildFacts): string => `${version} (commit ${commit})`;

function commitOf(head: string | undefined): string {
  if (head === undefined) return 'unknown';
  return git('status', '--porcelain', '--', ...BUILT) === '' ? head : `${head}, changed`;
}

/** Returns the output of git; undefined without git, or if the folder is not the root of a repository. */
function git(...words: readonly string[]): string | undefined {
  if (!existsSync(`${ROOT}.git`)) return undefined;
  try {
    return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}

/** Tells what a build is made from: the version, the commit and its time (D88). */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What a build reads. */
const BUILT = ['src', 'static', 'test/release', 'package.json', 'package-lock.json', 'tsconfig.json'];

/** What goes into a build. */
export interface BuildFacts {
  readonly version: string;
  /** The commit, with `, changed` behind it where files differ from it; `unknown` where nothing tells it. */
  readonly commit: string;
  /** The time of the commit in milliseconds since 1970; 0 where nothing tells it. */
  readonly modified: number;
}

/** From the variables `COMMIT` and `SOURCE_DATE_EPOCH` (in seconds), as in an image without git; else from git. */
export function buildFacts(environment: Readonly<Record<string, string | undefined>> = process.env): BuildFacts {
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { readonly version: string };
  const { COMMIT: given, SOURCE_DATE_EPOCH: epoch } = environment;
  const commit = given || commitOf(git('rev-parse', '--short=12', 'HEAD'));
  const seconds = Number(epoch || git('log', '-1', '--format=%ct') || 0);
  if (!Number.isSafeInteger(seconds) || seconds < 0)
    throw new RangeError(`Cannot build: SOURCE_DATE_EPOCH "${epoch}" is no time; give seconds since 1970`);
  return { version, commit, modified: seconds * 1000 };
}

/** What `--version` prints. */
export const versionText = ({ version, commit }: BuildFacts): string => `${version} (commit ${commit})`;

function commitOf(head: string | undefined): string {
  if (head === undefined) return 'unknown';
  return git('status', '--porcelain', '--', ...BUILT) === '' ? head : `${head}, changed`;
}

/** What git says; undefined where it is not there, or the folder is no repository of its own. */
function git(...words: readonly string[]): string | undefined {
  if (!existsSync(`${ROOT}.git`)) return undefined;
  try {
    return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}

/**
 * Installs a package below `test/` where its lock file is newer than what is installed, then runs its tests, if it has
 * any: `npm run test:hosts` is `package.ts hosts`. A script of the shell would run on no Windows.
 */
import { execSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { ROOT } from '../release/build-facts.ts';

const [name] = process.argv.slice(2);
const folder = `test/${name}`;
const timeOf = (file: string): number => statSync(`${ROOT}${folder}/${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The shell of the system finds npm, which is a script on Windows. */
function npm(command: string): void {
  try {
    execSync(`npm ${command} --prefix ${folder}`, { cwd: ROOT, stdio: 'inherit' });
  } catch (error) {
    // npm has told why.
    process.exit((error as { readonly status: number | null }).status ?? 1);
  }
}

const { scripts } = JSON.parse(readFileSync(`${ROOT}${folder}/package.json`, 'utf8'));
if (timeOf('node_modules/.package-lock.json') <= timeOf('package-lock.json'))
  npm('ci --ignore-scripts --no-audit --no-fund');
if (scripts?.test !== undefined) npm('test');

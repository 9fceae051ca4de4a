/**
 * Installs a package below `test/` if its lock file is newer than the installed packages, then runs its tests, if any:
 * `npm run test:hosts` is `package.ts hosts`. A shell script would not run on Windows.
 */
import { execSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { ROOT } from '../release/build-facts.ts';

const [name] = process.argv.slice(2);
const folder = `test/${name}`;
const timeOf = (file: string): number => statSync(`${ROOT}${folder}/${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Runs npm through a shell, because npm is a script on Windows. */
function npm(command: string): void {
  try {
    execSync(`npm ${command} --prefix ${folder}`, { cwd: ROOT, stdio: 'inherit' });
  } catch (error) {
    // npm has printed the reason.
    process.exit((error as { readonly status: number | null }).status ?? 1);
  }
}

const { scripts } = JSON.parse(readFileSync(`${ROOT}${folder}/package.json`, 'utf8'));
if (timeOf('node_modules/.package-lock.json') <= timeOf('package-lock.json'))
  npm('ci --ignore-scripts --no-audit --no-fund');
if (scripts?.test !== undefined) npm('test');

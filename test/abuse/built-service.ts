/** The service as `npm run build` makes it, in a folder of its own: it starts many times as fast as the sources. */
import { execSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { HOME } from './running-service.ts';

let built: string | undefined;

/** The path of its program. It is built at the first call, and removed when this process ends. */
export function builtService(): string {
  if (built !== undefined) return built;
  const folder = mkdtempSync(join(tmpdir(), 'built-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const dist = join(folder, 'dist');
  mkdirSync(dist);
  writeFileSync(join(dist, 'package.json'), JSON.stringify({ type: 'commonjs' }));
  for (const name of ['static', 'package.json']) symlinkSync(join(HOME, name), join(folder, name));
  const bin = join(HOME, 'node_modules', '.bin');
  execSync(bundling(dist), { cwd: HOME, env: { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` } });
  built = join(dist, 'main.js');
  return built;
}

/** The command that bundles, as `package.json` has it, for another folder. */
function bundling(dist: string): string {
  const { scripts } = JSON.parse(readFileSync(join(HOME, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly build: string };
  };
  const command = scripts.build.split(' && ').find((part) => part.startsWith('esbuild '));
  if (!command?.includes(' --outdir=dist ')) throw new Error('"build" in package.json bundles in another way');
  return command.replace(' --outdir=dist ', ` --outdir='${dist}' `);
}

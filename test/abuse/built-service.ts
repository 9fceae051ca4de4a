/** The service as `npm run build` makes it, in a folder of its own: it starts many times as fast as the sources. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProgram } from '../release/build.ts';
import { HOME } from './running-service.ts';

let built: Promise<string> | undefined;

/** The path of its program. It is built at the first call, and removed when this process ends. */
export function builtService(): Promise<string> {
  return (built ??= build());
}

async function build(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'built-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(HOME, 'static'), join(folder, 'static'));
  return buildProgram(join(folder, 'dist'));
}

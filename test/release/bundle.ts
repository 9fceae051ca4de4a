/**
 * Writes `release/todo.cjs`, for `npm run bundle`: the service as one file that any supported Node runs. An earlier
 * release is removed, since its checksums would be those of another file.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFacts, ROOT } from './build-facts.ts';
import { oneFile } from './one-file.ts';

const text = await oneFile(buildFacts());
const folder = join(ROOT, 'release');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
writeFileSync(join(folder, 'todo.cjs'), text, { mode: 0o755 });
console.log(`release/todo.cjs: ${Buffer.byteLength(text)} bytes`);

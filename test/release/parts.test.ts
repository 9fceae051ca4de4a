/** Tests the service in parts, as the executable starts it (D89). `npm run test:release` runs the executable. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeParts } from './parts.ts';
import { assertAnswers } from './running-program.ts';
import { nodeOf } from './runtimes.ts';

const FACTS = { version: '1.0.0', commit: '0123456789ab', modified: 0 };
const isNew = Number(process.versions.node.split('.')[0]) >= 26;
const node = isNew ? process.execPath : nodeOf(26);
const skip = node === undefined && 'it takes Node 26, which runs this or which npm ci --prefix test/release installs';

test('D89 – the code cache → the same bytes twice; without it, and with another, the program answers', {
  skip,
}, async () => {
  const folder = temporaryFolder({
    'plugin.mjs': `import { route, text } from 'todo-item-service';
      export default { name: 'plugin', routes: [route({ path: 'plugin', handle: () => text('plugin') })] };`,
  });
  const cache = join(folder, 'program.cache');
  const command = [node!, join(folder, 'todo.cjs'), '--plugin', join(folder, 'plugin.mjs')];
  await writeParts(folder, FACTS, node!);
  const first = readFileSync(cache);
  await writeParts(folder, FACTS, node!);
  assert.ok(first.equals(readFileSync(cache)));
  await assertAnswers(command);
  writeFileSync(cache, first.fill(1, 8, 12));
  await assertAnswers(command);
  rmSync(cache);
  await assertAnswers(command);
});

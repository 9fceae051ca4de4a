/** What Node prints of an uncaught error of the built library can be read: its line has one statement. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { buildModules } from './build.ts';

test('release – an uncaught error of the built library → Node shows one statement of readable source', async () => {
  const folder = temporaryFolder({});
  await buildModules(folder);
  const library = pathToFileURL(join(folder, 'index.js')).href;
  const program = `import { application } from '${library}'; application([{ name: 'a', stages: [5] }]);`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  const [, shown = ''] = stderr.split('\n');
  assert.match(shown, /^ +[^;]*throw new PluginError\([^;]*\);$/, stderr);
});

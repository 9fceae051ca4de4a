/** Checks the texts of the sources: the library must not name the program, and the core must not name plugins. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flagOf, ROWS } from '../../src/service/settings/table.ts';
import { exportedNames } from '../surface/exported-names.ts';
import { filesIn, textOf } from './source-files.ts';

const sources = [...filesIn('src'), ...filesIn('test')].filter((path) => path.endsWith('.ts'));

test('house – every file of src → begins with a sentence about its purpose', () => {
  const headless = sources.filter((path) => path.startsWith('src/') && !/^\/\*\*\s+(?:\* )?[A-Z\`]/.test(textOf(path)));
  assert.deepEqual(headless, []);
});

test('house – every source that a comment of src names → exists', () => {
  const files = sources.filter((path) => path.startsWith('src/'));
  const missing = files.flatMap((path) =>
    [...textOf(path).matchAll(/\`((?:[\w-]+\/)*[\w-]+\.(?:test\.|types\.)?ts)\`/g)].flatMap(([, named]) =>
      [...sources].some((source) => source === named || source.endsWith(`/${named}`)) ? [] : [`${path}: ${named}`],
    ),
  );
  assert.deepEqual(missing, []);
});

const filesOf = (...layers: readonly string[]) =>
  layers.flatMap((layer) => filesIn(`src/${layer}`).filter((path) => path.endsWith('.ts')));

/** Returns the matches in each file as `FILE: TEXT`. */
const found = (paths: readonly string[], pattern: RegExp): string[] =>
  paths.flatMap((path) => [...textOf(path).matchAll(pattern)].map(([text]) => `${path}: ${text}`));

test('house – the texts of the library → name no flag, variable or exit code of the program', () => {
  const flags = [...ROWS.map(([key]) => flagOf(key)), '--copy-store', '--check', '--health', '--print-config'];
  const pattern = new RegExp(`(?:${flags.join('|')})(?![\\w-])|\\bTODO_[A-Z]|exit ?code|npm (?:run|start)`, 'gi');
  assert.ok(flags.length > 30);
  assert.deepEqual(found(filesOf('core', 'operations', 'plugins', 'shelf'), pattern), []);
});

test('house – the texts of the core and the operations → name no function of a plugin and no entry', () => {
  const names = exportedNames().flatMap(({ name, file, isType }) =>
    // The core has members with the name `prefixOf`.
    /^(?:plugins|shelf)\//.test(file) && !isType && name !== 'prefixOf' ? [name] : [],
  );
  assert.ok(names.length > 40);
  const pattern = new RegExp(`(?<![\\w.])(?:${names.join('|')})\\(|todo-item-service\\/\\w+`, 'g');
  assert.deepEqual(found(filesOf('core', 'operations'), pattern), []);
});

/** What people read stays readable, and the library does not know the program, nor the core the extensions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flagOf, ROWS } from '../../src/program/settings/table.ts';
import { exportedNames } from '../surface/exported-names.ts';
import { filesIn, textOf } from './source-files.ts';

const sources = [...filesIn('src'), ...filesIn('test')].filter((path) => path.endsWith('.ts'));

test('house – every file of src → begins with a sentence about what it decides or does', () => {
  const headless = sources.filter((path) => path.startsWith('src/') && !/^\/\*\*\s+(?:\* )?[A-Z\`]/.test(textOf(path)));
  assert.deepEqual(headless, []);
});

test('house – every source that a comment of src names → is there', () => {
  const files = sources.filter((path) => path.startsWith('src/'));
  const missing = files.flatMap((path) =>
    [...textOf(path).matchAll(/\`((?:[\w-]+\/)*[\w-]+\.(?:test\.|types\.)?ts)\`/g)].flatMap(([, named]) =>
      [...sources].some((source) => source === named || source.endsWith(`/${named}`)) ? [] : [`${path}: ${named}`],
    ),
  );
  assert.deepEqual(missing, []);
});

const textsOf = (...storeys: readonly string[]) =>
  storeys.flatMap((storey) => filesIn(`src/${storey}`).filter((path) => path.endsWith('.ts')));

/** The parts of each file that match, as `FILE: TEXT`. */
const found = (paths: readonly string[], pattern: RegExp): string[] =>
  paths.flatMap((path) => [...textOf(path).matchAll(pattern)].map(([text]) => `${path}: ${text}`));

test('house – no text of the library → names a flag, a variable or an exit code of the program', () => {
  const flags = [...ROWS.map(([key]) => flagOf(key)), '--copy-store', '--check', '--health', '--print-config'];
  const pattern = new RegExp(`(?:${flags.join('|')})(?![\\w-])|\\bTODO_[A-Z]|exit ?code|npm (?:run|start)`, 'gi');
  assert.ok(flags.length > 40);
  assert.deepEqual(found(textsOf('core', 'operations', 'extensions'), pattern), []);
});

test('house – no text of the core and the operations → names a function of an extension, or an entry', () => {
  const names = exportedNames().flatMap(({ name, file, isType }) =>
    // Rooms of the core have members of this name.
    file.startsWith('extensions/') && !isType && name !== 'prefixOf' ? [name] : [],
  );
  assert.ok(names.length > 50);
  const pattern = new RegExp(`(?<![\\w.])(?:${names.join('|')})\\(|todo-item-service\\/\\w+`, 'g');
  assert.deepEqual(found(textsOf('core', 'operations'), pattern), []);
});

/** Compares the tables of `src/program/settings/README.md` with the settings of the program. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingsTable } from '../../../src/program/settings/help.ts';

/** The formatter pads the cells of a table. */
const withoutPadding = (text: string): string => text.replace(/ +/g, ' ').replace(/-{3,}/g, '---');

test('D32 – README of the settings → every setting as the program has it', () => {
  const readme = readFileSync(new URL('../../../src/program/settings/README.md', import.meta.url), 'utf8');
  const remedy =
    'The tables in src/program/settings/README.md are missing or out of date; replace them with what "npm run settings" prints';
  assert.ok(withoutPadding(readme).includes(withoutPadding(settingsTable())), remedy);
});

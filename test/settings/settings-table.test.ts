/** The README's table of settings is the one that the program has; `npm run settings` prints it anew. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingsTable } from '../../src/settings/help.ts';

test('D32 – README → every setting as the program has it', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const remedy =
    'Cannot find the table of settings in README.md: it is missing or out of date; put in what "npm run settings" prints';
  assert.ok(readme.includes(settingsTable()), remedy);
});

/** The third application, asked as its clients ask it. */
import { test } from 'node:test';
import { meters } from './application.ts';
import { assertRow, KEYS, of, TOKENS } from './row.ts';
import { ROWS } from './rows.ts';
import { openStore } from './store.ts';

const app = meters({ tokens: TOKENS, keys: KEYS, store: openStore() });
await app.start();

for (const row of ROWS)
  test(`meters – ${row.asks} → ${of(row.status, 'own')}`, () => assertRow('own', app.request, row));

/** The third application, asked as its clients ask it. */
import { after, test } from 'node:test';
import { meters } from './application.ts';
import { assertRow, KEYS, of, TOKENS } from './row.ts';
import { NATURES, ROWS } from './rows.ts';
import { openStore } from './store.ts';

const store = openStore();
after(() => store.close());
const app = meters({ tokens: TOKENS, keys: KEYS, store });
await app.start();

for (const row of [...ROWS, ...NATURES])
  test(`meters – ${row.asks} → ${of(row.status, 'own')}`, () => assertRow('own', app.request, row));

/** The third application, asked as its clients ask it. */
import { after, test } from 'node:test';
import { meters } from './application.ts';
import { assertRow, KEYS, TOKENS } from './row.ts';
import { NATURES, ROWS } from './rows.ts';
import { openStore } from './store.ts';

const store = openStore();
after(() => store.close());
const app = meters({ tokens: TOKENS, keys: KEYS, store });
await app.start();

for (const row of [...ROWS, ...NATURES])
  test(`meters – ${row.asks} → ${row.status}`, () => assertRow(app.request, row));

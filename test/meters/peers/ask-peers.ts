/** Asks the half with Fastify and with Hono the rows of the service: they answer alike, or the row says what else. */
import { test } from 'node:test';
import { assertRow, of } from '../row.ts';
import { NATURES, ROWS } from '../rows.ts';
import { LIBRARIES } from './libraries.ts';

for (const library of ['fastify', 'hono'] as const) {
  const ask = await LIBRARIES[library]();
  for (const row of [...ROWS, ...NATURES])
    test(`${library} – ${row.asks} → ${of(row.status, library)}`, () => assertRow(library, ask, row));
}

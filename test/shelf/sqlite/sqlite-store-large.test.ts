/** A list in a file that is larger than memory. Set `ITEMS=1000000` for a list of a million items (D83). */
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { todoSchema } from '../../../src/plugins/todo/todo.ts';
import { SqliteStore } from '../../../src/shelf/sqlite/sqlite-store.ts';
import { checkLargeList, LARGE, largeItem } from '../../support/large-list.ts';
import { noSqlite } from '../../support/lasting-stores.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { DatabaseSync } from './database.ts';

const folder = temporaryFolder();

describe('D83 – a large list in a file', { skip: noSqlite }, () => {
  test('D83 – a list of 100,000 items → every item, read in pages, with the memory of a few pages', async (t) => {
    const file = join(folder, 'large.db');
    const store = new SqliteStore(todoSchema(), { file });
    store.open();
    store.close();
    const database = new DatabaseSync(file);
    const value = largeItem(-1).replace('k-1', "k' || n || '").replace('Item -1', "Item ' || n || '");
    database.exec(`
      INSERT INTO items (key, value, version)
      WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${LARGE})
      SELECT 'k' || n, '${value}', 'v' || n FROM numbers;
    `);
    database.close();
    await checkLargeList(t, ['--store', file, '--metrics', 'on'], true);
  });
});

/** Lists that are sent page by page (D84). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Page, type Position, pagedList } from '../../../src/extensions/collection/list-pages.ts';

const page = (items: readonly string[], last: number, isEnd: boolean): Page<string> => ({ items, last, isEnd });

for (const [what, pages, text] of [
  ['one', [['1', '2']], '[1,2]'],
  ['three', [['1'], ['2', '3'], ['4']], '[1,2,3,4]'],
  ['an empty one at the end', [['1'], []], '[1]'],
  ['empty ones in front, whose items are wrong', [[], [], ['1'], [], ['2']], '[1,2]'],
  ['one without items', [[]], '[]'],
  ['three without items', [[], [], []], '[]'],
] as const)
  for (const kind of ['at once', 'later'] as const)
    test(`D84 – pages: ${what}, ${kind} → ${text}`, async () => {
      const all = pages.map((items, at) => page(items, at, at === pages.length - 1));
      const next = (after: Position) => {
        const page = all[Number(after) + 1]!;
        return kind === 'later' ? Promise.resolve(page) : page;
      };
      assert.equal(Buffer.concat(await pagedList(all[0]!, next).toArray()).toString(), text);
    });

test('D84 – a page that fails → the stream fails with its cause', async () => {
  const failing = pagedList(page(['1'], 0, false), () => Promise.reject(new Error('lost')));
  await assert.rejects(failing.toArray(), /^Error: lost$/);
});

test('D84 – a client that leaves after the first page → no further page is read', async () => {
  let read = 0;
  const stream = pagedList(page(['1'], 0, false), (after) => page([String(++read)], Number(after) + 1, false));
  for await (const _ of stream) break;
  assert.ok(stream.destroyed);
  const before = read;
  await new Promise(setImmediate);
  assert.equal(read, before);
});

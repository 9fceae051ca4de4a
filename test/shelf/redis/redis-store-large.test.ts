/** A list in Redis that fits no memory: `ITEMS=1000000 node --import tsx --test …` asks one of a million (D85). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { checkLargeList, LARGE, largeItem } from '../../support/large-list.ts';
import { CLIENT_FOLDER, ENGINES, noEngine, startEngine } from '../../support/lasting-stores.ts';

/** A command in the protocol of Redis. */
const command = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`;

for (const engine of ENGINES)
  describe(`D85 – a large list in ${engine}`, { skip: noEngine(engine) }, () => {
    test('D85 – a list of 100,000 items → every item, read in pages, with the memory of a few pages', async (t) => {
      const running = await startEngine(engine, '--appendonly', 'no');
      t.after(() => running.stop());
      const commands: string[] = [];
      for (let at = 0; at < LARGE; at += 1000) {
        const numbers = Array.from({ length: Math.min(1000, LARGE - at) }, (_, more) => at + more);
        commands.push(
          command(['HSET', '{large}:items', ...numbers.flatMap((one) => [`k${one}`, `v${one} ${largeItem(one)}`])]),
          command(['ZADD', '{large}:order', ...numbers.flatMap((one) => [String(one + 1), `k${one}`])]),
        );
      }
      commands.push(command(['HSET', '{large}:list', 'format', '1', 'version', 'v']));
      const { port } = running;
      const { status } = spawnSync('redis-cli', ['-p', String(port), '--pipe'], { input: commands.join('') });
      assert.equal(status, 0);
      process.env['NODE_PATH'] = CLIENT_FOLDER;
      await checkLargeList(t, ['--store', running.url('large'), '--metrics', 'on']);
    });
  });

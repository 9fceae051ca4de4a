/** Many reads of a key at once: at most two run, and each sees the changes before it (D50). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedReads } from '../../../src/plugins/collection/shared-reads.ts';

/** A store whose reads end when the test says so. */
function slowStore() {
  let value = 'first';
  const begun: { readonly key: string; end(error?: Error): void }[] = [];
  const get = sharedReads(
    (key) =>
      new Promise<string>((resolve, reject) => {
        const seen = value;
        begun.push({ key, end: (error) => (error === undefined ? resolve(seen) : reject(error)) });
      }),
  );
  const change = (changed: string): void => {
    value = changed;
  };
  return { get, begun, change };
}
/** Ends all reads, including the reads that begin meanwhile. */
async function endAll(begun: ReturnType<typeof slowStore>['begun']): Promise<void> {
  for (let at = 0; at < begun.length; at++) {
    begun[at]!.end();
    await new Promise(setImmediate);
  }
}

test('D50 – 250 reads of a key at once → two reads of the server', async () => {
  const { get, begun } = slowStore();
  const reads = Array.from({ length: 250 }, () => get('a'));
  await endAll(begun);
  assert.deepEqual(new Set(await Promise.all(reads)), new Set(['first']));
  assert.equal(begun.length, 2);
});

test('D50 – a read after a change, while an earlier read runs → the changed value', async () => {
  const { get, begun, change } = slowStore();
  const before = get('a');
  change('second');
  const after = [get('a'), get('a')];
  await endAll(begun);
  assert.deepEqual([await before, ...(await Promise.all(after))], ['first', 'second', 'second']);
});

test('D50 – reads of two keys, and reads one after another → a read of the server each', async () => {
  const { get, begun, change } = slowStore();
  const reads = [get('a'), get('__proto__')];
  await endAll(begun);
  assert.deepEqual(await Promise.all(reads), ['first', 'first']);
  change('second');
  const later = get('a');
  await endAll(begun);
  assert.equal(await later, 'second');
  assert.deepEqual(
    begun.map(({ key }) => key),
    ['a', '__proto__', 'a'],
  );
});

test('D50 – a read that fails → its callers get the error, and those who wait get the next value', async () => {
  const { get, begun } = slowStore();
  const failed = assert.rejects(get('a'), /lost/);
  const waiting = get('a');
  begun[0]!.end(new Error('lost'));
  await failed;
  await endAll(begun);
  assert.equal(await waiting, 'first');
});

/** A source that never waits, read by a client that is as fast: others have their turns. */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { SourceStream } from '../../../src/core/message/source-stream.ts';

const MOST = 5000;
const text = 'x'.repeat(1000);

for (const [what, part, isLater] of [
  ['texts', text, false],
  ['texts, asynchronous', text, true],
  ['bytes', Buffer.from(text), false],
  ['bytes, asynchronous', Buffer.from(text), true],
] as const)
  test(`D100 – a source of ${what} that never waits, and a fast reader → the event loop goes on`, async () => {
    let isTurned = false;
    let given = 0;
    function* parts() {
      while (given < MOST && !isTurned) yield (given += 1) && part;
    }
    async function* partsLater() {
      yield* parts();
    }
    let received = 0;
    const reader = new Writable({
      write(chunk: Buffer, _encoding, done) {
        received += chunk.length;
        done();
      },
    });
    setImmediate(() => setImmediate(() => (isTurned = true)));
    await pipeline(new SourceStream(isLater ? partsLater() : parts()), reader);
    assert.ok(isTurned && given < MOST, `${given} parts`);
    assert.equal(received, given * text.length);
  });

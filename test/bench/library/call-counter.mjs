/**
 * `node --import` loads this before a server. Each message is answered with the functions that the process has called
 * since the last one: `{ url, name, calls }` for each. V8 counts every call exactly, and optimizes nothing meanwhile.
 */
import { Session } from 'node:inspector/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** What a server does after its answer has left belongs to the request. */
const AFTER_ANSWER_MS = 20;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

async function calledSinceLast() {
  await wait(AFTER_ANSWER_MS);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url !== import.meta.url)
    .flatMap(({ url, functions }) =>
      functions.map(({ functionName, ranges: [whole] }) => ({ url, name: functionName, calls: whole.count })),
    )
    .filter(({ calls }) => calls > 0);
}

process.on('message', async () => process.send(await calledSinceLast()));
// The server ends as it does without a counter.
process.channel.unref();

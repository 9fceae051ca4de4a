/** Counts the functions that a server calls for one request. */
import { once } from 'node:events';
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { ask } from './ask.mjs';
import { withItems } from './scenarios.mjs';
import { startServer } from './server-process.mjs';

const COUNTER = new URL('call-counter.mjs', import.meta.url).href;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Requests before the first that counts: until then a server fills its caches. */
const WARM_UP = 3;
const COUNTED = 5;

/**
 * Resolves with `{ file, name, calls }` for each function. Only functions that stand in files count: those of the
 * server and of its packages, not those of Node. Of several requests, takes the request with the fewest calls,
 * because a timer of the server may run meanwhile.
 */
export async function callsFor(target, { items, request }) {
  // Two coverage runs in one process would disturb each other.
  const env = { ...target.env, NODE_V8_COVERAGE: undefined };
  const server = await startServer({ ...target, env, options: ['--import', COUNTER], hasChannel: true });
  // On one connection, so that the code that opens a connection does not count.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const asked = request(await withItems(server, items));
    const counts = [];
    for (let at = 0; at < WARM_UP + COUNTED; at++) {
      await calledSinceLast(server.child);
      const { status } = await ask(server.port, asked.method, asked.path, { ...asked, agent });
      if (status >= 400) throw new Error(`${target.name}: ${asked.method} ${asked.path} was answered ${status}`);
      counts.push(await calledSinceLast(server.child));
    }
    return counts.slice(WARM_UP).reduce((fewest, count) => (sumOf(count) < sumOf(fewest) ? count : fewest));
  } finally {
    agent.destroy();
    await server.stop();
  }
}

/** The number of calls in all. */
export const sumOf = (functions) => functions.reduce((sum, { calls }) => sum + calls, 0);

async function calledSinceLast(child) {
  child.send('count');
  const [functions] = await once(child, 'message');
  return functions
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url, ...called }) => ({ file: fileURLToPath(url).replace(ROOT, ''), ...called }));
}

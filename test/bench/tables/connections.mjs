/** What an idle connection holds in memory, in bytes: 10,000 of them, each of which has had an answer. */
import { openLoad } from '../library/load.mjs';
import { again, inSets, linesOf } from '../library/pairs.mjs';
import { memory } from '../library/processor-time.mjs';
import { startServer } from '../library/server-process.mjs';
import { FLOOR } from '../library/targets.mjs';

const REQUESTS = [{ path: '/api/todo' }];

export async function connections({ quick, service, sets = quick ? 2 : 3 }) {
  const count = quick ? 2000 : 10_000;
  const target = { ...service, env: { TODO_MAX_CONNECTIONS: String(2 * count) } };
  const targets = [FLOOR, target, { ...target, name: again('ours') }];
  const open = () => targets.map((one) => ({ name: one.name, slice: () => bytesEach(one, count), close() {} }));
  const results = await inSets({ sets, rounds: 1, seconds: 40, uncounted: 0 }, open);
  return linesOf({ row: 'an idle connection', results, pairs: [['ours', 'floor']], costOf: Number, digits: 0 });
}

async function bytesEach(target, count) {
  const server = await startServer(target);
  // What the heap grows by under load is there before.
  const few = await openLoad({ server, requests: REQUESTS });
  await few.slice({ requests: 20_000 });
  const before = memory(server.pid);
  const many = await openLoad({ server, requests: REQUESTS, connections: count });
  const { answers, broken } = await many.slice({ requests: count });
  if (answers < count || broken > 0)
    throw new Error(`${target.name}: ${answers} of ${count} connections had an answer`);
  const bytes = ((memory(server.pid) - before) * 2 ** 20) / count;
  await few.close();
  await many.close();
  await server.stop();
  return bytes;
}

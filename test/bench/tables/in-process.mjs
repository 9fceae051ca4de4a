/** The service without kernel and sockets, in short turns against the floors: the finest ruler here. */
import { requestText } from '../library/load.mjs';
import { again, inSets, linesOf } from '../library/pairs.mjs';
import { SCENARIOS } from '../library/scenarios.mjs';
import { startSubject } from '../library/subject.mjs';
import { FLOOR, peers, TUNED } from '../library/targets.mjs';

const FILE = new URL('../subjects/in-process.mjs', import.meta.url).pathname;

export async function inProcess({ quick, service, sets = quick ? 2 : 4, rounds = quick ? 15 : 60 }) {
  const targets = [FLOOR, service, { ...service, name: again('ours') }, ...(quick ? [] : [TUNED, ...peers()])];
  const pairs = targets
    .filter(({ name }) => name !== 'floor' && name !== again('ours'))
    .map(({ name }) => [name, 'floor']);
  const lines = [];
  for (const { name, items, requests, isAlone } of SCENARIOS) {
    if (isAlone) continue;
    const results = await inSets({ sets, rounds, seconds: 12 }, async () => {
      const subjects = [];
      for (const target of targets) subjects.push(await startInProcess(target, items, requests, 1500));
      return subjects.map(({ name: subject, turn, stop }) => ({ name: subject, slice: () => turn(12), close: stop }));
    });
    lines.push(
      ...linesOf({
        row: `${name}, in process`,
        results,
        pairs,
        costOf: (nanoseconds) => nanoseconds / 1000,
        speed: true,
      }),
    );
  }
  return lines;
}
/** A server in the memory of its process, its store filled and its code warm. */
export async function startInProcess({ name, file, env = {} }, items, requestsFor, warmUp) {
  const subject = startSubject(FILE, { env: { BENCH_SERVER: file, PORT: '1', ...env } });
  const ask = (request) => subject.ask({ act: 'ask', requests: [requestText(request)] });
  const run = (requests, milliseconds) =>
    subject.ask({ act: 'run', requests: requests.map(requestText), milliseconds });
  const key = /"key":"([^"]*)"/.exec((await ask({ path: '/api/todo' })).answer)[1];
  for (let at = 1; at < items; at++)
    await ask({
      method: 'POST',
      path: '/api/todo',
      body: JSON.stringify({ name: `Item${at + 1}`, isComplete: false }),
    });
  const requests = requestsFor(key);
  await run(requests, warmUp);
  return {
    name,
    pid: subject.pid,
    turn: async (milliseconds) => (await run(requests, milliseconds)).nanoseconds,
    stop: () => subject.stop(),
  };
}

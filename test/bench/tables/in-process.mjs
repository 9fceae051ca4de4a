/** The service without kernel and sockets, in short turns against the floor: the finest ruler here. */
import { goalCell } from '../goals.mjs';
import { requestText } from '../library/load.mjs';
import { table } from '../library/markdown.mjs';
import { floorOf, inRounds, speeds } from '../library/rounds.mjs';
import { SCENARIOS } from '../library/scenarios.mjs';
import { median, number, spread } from '../library/statistics.mjs';
import { startSubject } from '../library/subject.mjs';
import { CONTROL, FLOOR, peers } from '../library/targets.mjs';

const FILE = new URL('../subjects/in-process.mjs', import.meta.url).pathname;

export async function inProcess({ quick, service, rounds = quick ? 30 : 300 }) {
  const rows = [];
  for (const { name: scenario, items, requests } of SCENARIOS) {
    const targets = [FLOOR, service, ...(quick ? [] : [CONTROL, ...peers()])];
    const subjects = [];
    for (const target of targets) subjects.push(await startInProcess(target, items, requests, quick ? 500 : 1500));
    const turns = await inRounds(subjects, rounds, ({ turn }) => turn(12));
    await Promise.all(subjects.map(({ stop }) => stop()));
    for (const { name } of subjects) {
      const ratios = speeds(
        floorOf(turns, (time) => time),
        turns.get(name),
      );
      const ratio = median(ratios);
      rows.push([
        name === 'floor' ? `**${scenario}**` : '',
        name,
        number(median(turns.get(name))),
        spread(ratios),
        `**${number(ratio, 2)}**`,
        name === 'ours' ? goalCell('in-process', scenario, ratio) : '',
      ]);
    }
  }
  return `${table(['scenario', 'server', 'ns/request', 'middle half', 'ratio to floor', 'goal'], rows)}\n`;
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

/** The service over real sockets: processor time of the server by the request, against the floor in the same round. */
import { goalCell } from '../goals.mjs';
import { openLoad } from '../library/load.mjs';
import { table } from '../library/markdown.mjs';
import { floorOf, inRounds, speeds } from '../library/rounds.mjs';
import { assertSameAnswers } from '../library/same-header-lines.mjs';
import { SCENARIOS, withItems } from '../library/scenarios.mjs';
import { startServer } from '../library/server-process.mjs';
import { median, number, spread } from '../library/statistics.mjs';
import { CONTROL, FLOOR, peers } from '../library/targets.mjs';

export async function http({ quick, service, rounds = quick ? 5 : 9, load: program }) {
  const slice = quick ? 150 : 1000;
  const targets = [FLOOR, service, ...(quick ? [] : [CONTROL, ...peers()])];
  const sections = [];
  for (const scenario of SCENARIOS) {
    const opened = [];
    for (const target of targets)
      opened.push(await prepare(target, scenario, quick ? 'own' : program, quick ? 700 : 2000));
    await assertSameAnswers(opened[0].server, opened[0].requests, opened[1].server, opened[1].requests);
    const figures = await inRounds(opened, rounds, ({ name, load }) =>
      checked(name, scenario, () => load.slice(slice)),
    );
    for (const { load, server } of opened) {
      await load.close();
      await server.stop();
    }
    sections.push(section(scenario.name, figures));
  }
  return `${sections.join('\n\n')}\n`;
}

/** A server with its store filled, its load open and its code warm. */
async function prepare(target, { items, requests: requestsFor }, program, warmUp) {
  const server = await startServer(target);
  const requests = requestsFor(await withItems(server, items));
  const load = await openLoad({ server, requests, program });
  await load.slice(warmUp);
  return { name: target.name, server, requests, load };
}

/** A wrong answer makes the speed of it meaningless. */
async function checked(name, { name: scenario, badShare = 0 }, turn) {
  const figures = await turn();
  const share = figures.bad / figures.answers;
  if (figures.broken > 0 || Math.abs(share - badShare) > 0.02)
    throw new Error(
      `${name}, ${scenario}: ${figures.bad} of ${figures.answers} answers are errors, ${figures.broken} connections broke`,
    );
  return figures;
}

const HEAD = [
  ...['server', 'requests/s', 'half within ms', '99 % within ms', 'over floor'],
  ...['processor µs/request', 'generator busy', 'middle half', 'ratio to floor', 'goal'],
];

function section(scenario, figures) {
  const of = (name, key) => figures.get(name).map((one) => one[key]);
  const rows = [...figures.keys()].map((name) => {
    const ratios = speeds(
      floorOf(figures, ({ microseconds }) => microseconds),
      of(name, 'microseconds'),
    );
    const ratio = median(ratios);
    const late = median(of(name, 'late').map((value, round) => value / floorOf(figures, (one) => one.late)[round]));
    const goal = name === 'ours' ? goalCell('http', scenario, ratio) : '';
    const lateGoal = name === 'ours' ? goalCell('latency', scenario, late) : '';
    return [
      name,
      number(median(of(name, 'perSecond'))),
      number(median(of(name, 'half')), 2),
      number(median(of(name, 'late')), 2),
      `${number(late, 2)} ${lateGoal}`,
      number(median(of(name, 'microseconds')), 1),
      `${Math.round(median(of(name, 'busy')) * 100)} %`,
      spread(ratios),
      `**${number(ratio, 2)}**`,
      goal,
    ];
  });
  return `**${scenario}**\n\n${table(HEAD, rows)}`;
}

/** The service against the floor and fastify: processor time of the server by the request, over sockets. */
import { openLoad } from '../library/load.mjs';
import { again, inSets, linesOf } from '../library/pairs.mjs';
import { assertSameAnswers } from '../library/same-header-lines.mjs';
import { SCENARIOS, withItems } from '../library/scenarios.mjs';
import { startServer } from '../library/server-process.mjs';
import { FLOOR, peers } from '../library/targets.mjs';

const PAIRS = [
  ['ours', 'floor'],
  ['ours', 'fastify'],
  ['fastify', 'floor'],
];
/** The service, and the same with what an operator switches on. */
const OBSERVED = [
  ['access log and metrics', { TODO_ACCESS_LOG: 'on', TODO_METRICS: 'on' }],
  ['trace', { TODO_TRACE: 'on' }],
];
/** Requests before anything counts. Until then V8 compiles, which is no cost of a request. */
const WARM_UP = { requests: 30_000, milliseconds: 60_000 };
const SLICE = { requests: 2000 };

export async function http(settings) {
  const { quick, service } = settings;
  const compared = [FLOOR, service, { ...service, name: again('ours') }];
  const others = quick ? [] : peers(['fastify']);
  const lines = [];
  for (const scenario of SCENARIOS.filter(({ name }) => name.includes(settings.row)))
    lines.push(
      ...(await row(scenario.name, PAIRS, [...compared, ...(scenario.isAlone ? [] : others)], scenario, settings)),
    );
  if (quick || settings.row !== '') return lines;
  const off = { ...service, name: 'off' };
  const targets = [off, { ...off, name: again('off') }, ...OBSERVED.map(([name, env]) => ({ ...service, name, env }))];
  const pairs = OBSERVED.map(([name]) => [name, 'off']);
  lines.push(...(await row('one item by id, observed', pairs, targets, SCENARIOS[0], settings)));
  return lines;
}

async function row(name, pairs, targets, scenario, { quick, sets = quick ? 2 : 3, rounds = quick ? 6 : 12 }) {
  const open = async () => {
    const opened = [];
    for (const target of targets) opened.push(await openedSubject(target, scenario));
    const [first, second] = opened;
    if (first.name === 'floor') await assertSameAnswers(first.server, first.requests, second.server, second.requests);
    return opened;
  };
  const results = await inSets({ sets, rounds, seconds: 22 }, open);
  return linesOf({ row: name, results, pairs, costOf: ({ microseconds }) => microseconds, speed: true });
}

/** A server with its store filled, its connections open and its code warm. */
async function openedSubject(target, { items, requests: requestsFor, badShare = 0, size = 1 }) {
  const server = await startServer(target);
  const requests = requestsFor(await withItems(server, items));
  const load = await openLoad({ server, requests });
  const slice = async ({ requests: count, milliseconds }) => {
    const figures = await load.slice({ requests: count / size, milliseconds });
    // Each connection has its own turn among the requests, so that it may be two wrong answers ahead.
    const { bad, answers, broken } = figures;
    if (broken > 0 || Math.abs(bad - badShare * answers) > (badShare > 0 ? 2 * 64 : 0))
      throw new Error(`${target.name}: ${bad} of ${answers} answers are errors, ${broken} connections broke`);
    return figures;
  };
  await slice(WARM_UP);
  const close = async () => {
    await load.close();
    await server.stop();
  };
  return { name: target.name, server, requests, slice: () => slice(SLICE), close };
}

/** The service against the floor, and fastify in two forms: processor time of the server by the request, over sockets. */
import { linesTable } from '../library/lines-table.mjs';
import { openLoad } from '../library/load.mjs';
import { again, inSets, linesOf } from '../library/pairs.mjs';
import { assertSameAnswers } from '../library/same-header-lines.mjs';
import { SCENARIOS, withItems } from '../library/scenarios.mjs';
import { startServer } from '../library/server-process.mjs';
import { FLOOR, peers } from '../library/targets.mjs';

const PAIRS = [
  ['ours', 'floor'],
  ['ours', 'fastify-same'],
  ['ours', 'fastify'],
  ['fastify-same', 'floor'],
  ['fastify', 'floor'],
];
/** Requests before anything counts. Until then V8 compiles, which is no cost of a request. */
const WARM_UP = { requests: 30_000, milliseconds: 60_000 };
const SLICE = { requests: 2000 };

export async function http({ quick, row, service }) {
  const targets = [
    FLOOR,
    service,
    { ...service, name: again('ours') },
    ...(quick ? [] : peers('fastify-same', 'fastify')),
  ];
  const amount = quick ? { sets: 2, rounds: 6 } : { sets: 3, rounds: 12 };
  const lines = [];
  for (const scenario of SCENARIOS.filter(({ name }) => name.includes(row))) {
    const results = await inSets({ ...amount, seconds: 28 }, () => opened(targets, scenario));
    const costOf = ({ microseconds }) => microseconds;
    lines.push(...linesOf({ row: scenario.name, results, pairs: PAIRS, costOf, speed: true }));
  }
  return linesTable(lines);
}

async function opened(targets, scenario) {
  const subjects = [];
  for (const target of targets) subjects.push(await openedSubject(target, scenario));
  const [floor, ...others] = subjects;
  for (const other of others) await assertSameAnswers(floor, other);
  return subjects;
}

/** A server with its store filled, its connections open and its code warm. */
async function openedSubject(target, { items, request: requestFor }) {
  const server = await startServer(target);
  const request = requestFor(await withItems(server, items));
  const load = await openLoad({ server, request });
  const slice = async (amount) => {
    const figures = await load.slice(amount);
    const { bad, answers, broken } = figures;
    if (broken + bad > 0)
      throw new Error(`${target.name}: ${bad} of ${answers} answers are errors, ${broken} connections broke`);
    return figures;
  };
  await slice(WARM_UP);
  const close = async () => {
    await load.close();
    await server.stop();
  };
  return { name: target.name, server, request, slice: () => slice(SLICE), close };
}

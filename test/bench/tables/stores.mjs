/**
 * What a store that outlives the process costs: this service in memory, SQLite and Redis, beside the same operations
 * written by hand on fastify over the same store. The ratios compare figures of one round.
 */
import { openLoad } from '../library/load.mjs';
import { table } from '../library/markdown.mjs';
import { processorTime } from '../library/processor-time.mjs';
import { inRounds } from '../library/rounds.mjs';
import { assertSameAnswers } from '../library/same-header-lines.mjs';
import { withItems } from '../library/scenarios.mjs';
import { median, number, spread } from '../library/statistics.mjs';
import { operations, STORE_SCENARIOS } from '../library/store-scenarios.mjs';
import { startStoreSubject, storeSubjects } from '../library/store-subjects.mjs';
import { syncTime } from '../library/sync-time.mjs';

const NOTE = `Nothing is pinned to a processor here but the load generator, so that Redis has what is left;
its processor time stands beside that of the servers. The generator is
always the project's own, since a DELETE names the item that its connection has made. Ratios of requests/s and of
processor time are medians of ratios within one round, and more is better: by hand over ours for processor time. Each
Redis is a \`redis-server --save ''\` of its own with \`--appendonly no\`, or with \`--appendonly yes
--appendfsync everysec\`. SQLite has a write-ahead log everywhere. What is written by hand checks bodies with a schema
of fastify and sends as many header lines; it leaves out the versions of items and of the list (its ETag is a literal),
If-Match and If-None-Match, limits of items and bytes, pages of long lists, the check of what it reads, the times and
replies for a store that cannot be reached, and problems for bodies that are refused.`;

export async function stores({ quick, service, rounds = quick ? 3 : 7 }) {
  const slice = quick ? 200 : 700;
  const { measured, leftOut } = storeSubjects(service);
  await assertSameWork(measured);
  const sections = [];
  for (const scenario of STORE_SCENARIOS) {
    const opened = [];
    for (const subject of measured) opened.push(await prepare(subject, scenario, quick));
    // Only now: connections that are not used while all are prepared would be closed.
    for (const one of opened) one.load = await openLoad(one);
    const figures = await inRounds(opened, rounds, (subject) => turn(subject, scenario, slice));
    for (const { load, server } of opened) {
      await load.close();
      await server.stop();
    }
    sections.push(section(scenario.name, measured, figures));
  }
  const disk = `To have a page of 4 KiB on the disk (\`fdatasync\`) takes ${number(syncTime(), 2)} ms here.`;
  return `${[NOTE, disk, ...leftOut, ...sections].join('\n\n')}\n`;
}

/** A server with its store filled and its code warm. */
async function prepare(subject, { items, requests: requestsFor }, quick) {
  const server = await startStoreSubject(subject);
  const requests = requestsFor(await withItems(server, items));
  const load = await openLoad({ server, requests });
  // A store that waits for the disk takes longer to warm the code.
  let cold = quick ? 1000 : 10_000;
  for (let slices = 0; cold > 0 && slices < 6; slices++) cold -= (await load.slice(quick ? 400 : 1500)).answers;
  await load.close();
  return { name: subject.name, server, requests };
}

/** What is timed must be the same work. On servers of their own, for it changes what they hold. */
async function assertSameWork([first, ...others]) {
  const one = await startStoreSubject(first);
  for (const subject of others) {
    const other = await startStoreSubject(subject);
    const [here, there] = [await withItems(one, 1), await withItems(other, 1)];
    await assertSameAnswers(one, operations(here), other, operations(there));
    await other.stop();
  }
  await one.stop();
}

/** A wrong answer makes the speed of it meaningless. */
async function turn({ name, load, server: { redis } }, { name: scenario }, slice) {
  const before = redis && processorTime(redis.pid);
  const figures = await load.slice(slice);
  if (figures.bad + figures.broken > 0)
    throw new Error(
      `${name}, ${scenario}: ${figures.bad} of ${figures.answers} answers are errors, ${figures.broken} connections broke`,
    );
  return { ...figures, redis: redis && (processorTime(redis.pid) - before) / 1000 / figures.answers };
}

const HEAD = [
  ...['store', 'server', 'requests/s', 'to memory', '99 % within ms'],
  ...['processor µs/request', 'of Redis', 'generator busy'],
  ...['requests/s to by hand, middle half', 'requests/s to by hand', 'processor time to by hand'],
];

function section(scenario, subjects, figures) {
  const of = (name, key) => figures.get(name).map((one) => one[key]);
  const over = (one, other) => one.map((value, round) => value / other[round]);
  const rows = subjects.map(({ name, store, server, byHand }, row) => {
    const memory = over(of(name, 'perSecond'), of(subjects[0].name, 'perSecond'));
    const peer = byHand ? undefined : subjects.find((other) => other.byHand && other.store === store)?.name;
    const speed = peer && over(of(name, 'perSecond'), of(peer, 'perSecond'));
    return [
      subjects[row - 1]?.store === store ? '' : `**${store}**`,
      server,
      number(median(of(name, 'perSecond'))),
      number(median(memory), 2),
      number(median(of(name, 'late')), 2),
      number(median(of(name, 'microseconds')), 1),
      of(name, 'redis')[0] === undefined ? '' : number(median(of(name, 'redis')), 1),
      `${Math.round(median(of(name, 'busy')) * 100)} %`,
      speed ? spread(speed) : '',
      speed ? `**${number(median(speed), 2)}**` : '',
      peer ? `**${number(median(over(of(peer, 'microseconds'), of(name, 'microseconds'))), 2)}**` : '',
    ];
  });
  return `**${scenario}**\n\n${table(HEAD, rows)}`;
}

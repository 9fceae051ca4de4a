/** HTTP/1.1 and HTTP/2 over TLS: what one request costs the server, for the decision to offer the first alone (D77). */
import { connect } from 'node:http2';
import { Agent, get } from 'node:https';
import { table } from '../library/markdown.mjs';
import { inRounds } from '../library/rounds.mjs';
import { median, number, spread } from '../library/statistics.mjs';
import { startSubject } from '../library/subject.mjs';

const FILE = new URL('../subjects/versions.mjs', import.meta.url).pathname;
const CONNECTIONS = 8;

/** What is measured: who answers, and how many streams each HTTP/2 connection has at a time. */
const TARGETS = [
  { name: 'node:https', server: 'https' },
  { name: 'this library', server: 'own' },
  { name: 'node:http2, 1 stream a connection', server: 'http2', sessions: CONNECTIONS },
  { name: 'node:http2, 8 streams on one connection', server: 'http2', sessions: 1 },
];

export async function versions({ quick, service, rounds = quick ? 5 : 15 }) {
  const { ask, stop } = startSubject(FILE, { env: { BENCH_MODULES: service.modules } });
  const { ports, cert } = await ask();
  const clients = TARGETS.map((target) => ({ ...target, ...clientOf(target, ports[target.server], cert) }));
  const turn = async ({ request }, requests = 2000) => {
    const before = (await ask()).processor;
    let left = requests;
    const lane = async () => {
      while (left-- > 0) await request();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, lane));
    return ((await ask()).processor - before) / requests;
  };
  for (const client of clients) await turn(client, 4000);
  const times = await inRounds(clients, rounds, (client) => turn(client));
  for (const { end } of clients) end();
  await stop();
  const plain = times.get('node:https');
  const rows = TARGETS.map(({ name }) => {
    const over = times.get(name).map((time, round) => time / plain[round]);
    return [name, number(median(times.get(name)), 1), spread(over), `**${number(median(over), 2)}**`];
  });
  return `${table(['over TLS', 'µs of the server', 'over node:https, middle half', 'median'], rows)}\n`;
}

function clientOf({ sessions }, port, ca) {
  if (sessions === undefined) {
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, ca });
    const request = () =>
      new Promise((resolve, reject) => {
        const sent = get({ port, agent, servername: 'localhost', path: '/' }, (reply) =>
          reply.resume().on('end', resolve),
        );
        sent.on('error', reject);
      });
    return { request, end: () => agent.destroy() };
  }
  const opened = Array.from({ length: sessions }, () => connect(`https://localhost:${port}`, { ca }));
  let next = 0;
  const request = () =>
    new Promise((resolve, reject) => {
      const stream = opened[next++ % sessions].request({ ':path': '/' });
      stream.on('end', resolve).on('error', reject).resume();
    });
  return { request, end: () => opened.forEach((session) => void session.close()) };
}

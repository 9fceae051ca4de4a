/**
 * The project's own load generator: a process that holds keep-alive connections and writes ready-made requests into
 * them.
 *
 * One request at a time on each connection; the next is written when the answer to the last is complete. Told by
 * messages what to open, run and close, so that connections and warm-up outlive a slice and slices can be short.
 */
import { connect } from 'node:net';
import { Answers } from './answers.mjs';
import { MADE } from './made-key.mjs';
import { quantile } from './statistics.mjs';

const plans = new Map();
/** In the answer to a POST. */
const KEY = /^HTTP\/1\.1 201 [^]*"key":"([^"]+)"/;

/** One connection of a plan. */
class Line {
  constructor(plan, at) {
    this.plan = plan;
    this.next = at;
    this.answers = new Answers();
    /** The key of the item that this connection has made and not named since. */
    this.made = undefined;
    this.sent = 0;
    this.socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true });
    this.socket
      .on('data', (chunk) => this.take(chunk))
      .on('error', () => {
        plan.broken++;
      })
      .on('close', () => {
        if (!plan.closing) plan.broken++;
      });
  }

  fire() {
    this.sent = performance.now();
    this.plan.outstanding++;
    this.socket.write(this.request());
  }

  /** The next request; one that needs an item is left out while this connection has made none. */
  request() {
    const { requests } = this.plan;
    let request = requests[this.next++ % requests.length];
    while (typeof request === 'string' && this.made === undefined) request = requests[this.next++ % requests.length];
    if (typeof request !== 'string') return request;
    const named = request.replace(MADE, this.made);
    this.made = undefined;
    return named;
  }

  take(chunk) {
    const { plan } = this;
    if (plan.needsMade) this.made ??= KEY.exec(chunk.latin1Slice())?.[1];
    if (this.answers.completedBy(chunk) === 0) return;
    const now = performance.now();
    plan.times.push(now - this.sent);
    plan.outstanding--;
    if (now < plan.until) this.fire();
    else if (plan.outstanding === 0) plan.done();
  }
}

async function open({ plan: id, port, requests, connections }) {
  const plan = {
    port,
    // A text is completed with the key of an item before it is sent.
    requests: requests.map((text) => (text.includes(MADE) ? text : Buffer.from(text, 'latin1'))),
    needsMade: requests.some((text) => text.includes(MADE)),
    times: [],
    until: 0,
    outstanding: 0,
    broken: 0,
    closing: false,
  };
  plan.lines = Array.from({ length: connections }, (_, at) => new Line(plan, at));
  await Promise.all(
    plan.lines.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve).once('error', resolve))),
  );
  plans.set(id, plan);
  return {};
}

async function run({ plan: id, milliseconds }) {
  const plan = plans.get(id);
  const used = process.cpuUsage();
  const started = performance.now();
  plan.times = [];
  plan.until = started + milliseconds;
  const finished = new Promise((resolve) => {
    plan.done = resolve;
  });
  for (const line of plan.lines) line.fire();
  const timer = setTimeout(() => plan.done(), milliseconds + 10_000);
  await finished;
  clearTimeout(timer);
  const elapsed = performance.now() - started;
  const { user, system } = process.cpuUsage(used);
  const bad = plan.lines.reduce((sum, { answers }) => sum + answers.bad, 0);
  for (const { answers } of plan.lines) answers.bad = 0;
  return {
    answers: plan.times.length,
    bad,
    broken: plan.broken,
    elapsed,
    busy: (user + system) / 1000 / elapsed,
    half: quantile(plan.times, 0.5),
    late: quantile(plan.times, 0.99),
  };
}

async function close({ plan: id }) {
  const plan = plans.get(id);
  plans.delete(id);
  plan.closing = true;
  for (const { socket } of plan.lines) socket.destroy();
  return {};
}

process.on('message', async ({ number, act, ...parameters }) =>
  process.send({ number, ...(await { open, run, close }[act](parameters)) }),
);
process.on('disconnect', () => process.exit(0));

/**
 * The project's own load generator: a process that holds keep-alive connections and writes a ready-made request into
 * them.
 *
 * One request at a time on each connection; the next is written when the answer to the last is complete. Told by
 * messages what to open, run and close, so that connections and warm-up outlive a slice and slices can be short.
 */
import { connect } from 'node:net';
import { Answers } from './answers.mjs';

const plans = new Map();

/** One connection of a plan. */
class Line {
  constructor(plan) {
    this.plan = plan;
    this.answers = new Answers();
    this.isWaiting = false;
  }

  /** Resolves when the connection is there. A server may close one that is not used for long, so it is asked again. */
  open() {
    if (this.socket?.readyState === 'open') return undefined;
    const { plan } = this;
    this.socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true });
    const opened = new Promise((resolve) => this.socket.once('connect', resolve).once('close', resolve));
    this.socket
      .on('data', (chunk) => this.take(chunk))
      .on('error', () => {})
      .on('close', () => {
        if (!this.isWaiting) return;
        plan.broken++;
        plan.done();
      });
    return opened;
  }

  fire() {
    this.isWaiting = true;
    this.plan.outstanding++;
    this.plan.left--;
    this.socket.write(this.plan.request);
  }

  take(chunk) {
    if (this.answers.completedBy(chunk) === 0) return;
    this.isWaiting = false;
    this.plan.answered++;
    this.plan.outstanding--;
    this.plan.next(this);
  }
}

/** A server that does not answer for so long ends a slice. */
const LONGEST_MS = 30_000;

async function open({ plan: id, port, request, connections }) {
  const plan = { port, request: Buffer.from(request, 'latin1'), outstanding: 0 };
  plan.lines = Array.from({ length: connections }, () => new Line(plan));
  plans.set(id, plan);
  await connected(plan);
  return {};
}

const connected = ({ lines }) => Promise.all(lines.map((line) => line.open()));

/** So many requests, or as many as are answered within so many milliseconds, on all connections. */
async function run({ plan: id, requests = Infinity, milliseconds = LONGEST_MS }) {
  const plan = plans.get(id);
  await connected(plan);
  plan.answered = 0;
  plan.broken = 0;
  plan.left = requests;
  const started = performance.now();
  const goesOn = () => plan.left > 0 && performance.now() < started + milliseconds;
  let timer;
  await new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds + LONGEST_MS);
    plan.done = resolve;
    plan.next = (line) => {
      if (goesOn()) line.fire();
      else if (plan.outstanding === 0) plan.done();
    };
    for (const line of plan.lines) if (goesOn()) line.fire();
  });
  clearTimeout(timer);
  const bad = plan.lines.reduce((sum, { answers }) => sum + answers.bad, 0);
  for (const { answers } of plan.lines) answers.bad = 0;
  return {
    answers: plan.answered,
    bad,
    broken: plan.broken + plan.outstanding,
    elapsed: performance.now() - started,
  };
}

async function close({ plan: id }) {
  const plan = plans.get(id);
  plans.delete(id);
  for (const { socket } of plan.lines) socket.destroy();
  return {};
}

process.on('message', async ({ act, ...parameters }) => process.send(await { open, run, close }[act](parameters)));
process.on('disconnect', () => process.exit(0));

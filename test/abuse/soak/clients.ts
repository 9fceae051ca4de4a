/** The clients of a soak. What fails, and is not what the fault of the moment may do, is wrong. */
import { setTimeout } from 'node:timers/promises';
import { Client, type Reply } from '../client.ts';
import { WAYS } from '../faults/connection-faults.ts';
import { silent } from '../faults/connections.ts';
import { fuzz } from '../fuzz.ts';
import { addItem } from '../items.ts';
import { type Account, emptyAccount } from '../kill/account.ts';
import { BusyClient } from '../kill/busy-client.ts';
import { type Random, random } from '../random.ts';
import type { Injection } from './injections.ts';

/** Milliseconds between two requests of a client, at most: the machine is to have some air. */
const PACE = 60;
const READS = [
  ['GET', '/api/todo', {}],
  ['GET', '/api/todo', { Accept: 'text/plain' }],
  ['GET', '/swagger/ui/', {}],
  ['GET', '/swagger/ui/swagger-ui-bundle.js', { 'Accept-Encoding': 'br' }],
  ['GET', '/swagger/ui/swagger-ui-bundle.js', { Range: 'bytes=-500' }],
  ['HEAD', '/swagger/ui/swagger-ui.css', {}],
  ['GET', '/swagger/v1/swagger.json', { 'If-None-Match': '*' }],
  ['GET', '/health', {}],
] as const;
/** What visitors send, and leave: they idle, write slowly, do not read, listen to events. */
const VISITS = [
  ...WAYS,
  'GET /events HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /api/todo HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20),
];

export class Clients {
  /** The fault of this moment. */
  fault: Injection | undefined;
  readonly account: Account = emptyAccount();
  readonly busy: readonly BusyClient[];
  requests = 0;
  explained = 0;
  /** Milliseconds of the longest request while there was no fault. */
  longest = 0;
  readonly #port: number;
  readonly #seed: number;
  readonly #keys: string[] = [];
  #rounds = 0;
  #isOver = true;

  constructor(port: number, seed: number) {
    this.#port = port;
    this.#seed = seed;
    this.busy = Array.from({ length: 6 }, (_, at) => new BusyClient(at, random(seed * 6151 + at), this.account));
  }

  wrong(what: string): void {
    this.account.differences.push(`${this.fault?.name ?? 'no fault'}: ${what}`);
  }

  /** Starts them all. What is returned has them rest, and resolves when they do and no confirmed change is missing. */
  async work(): Promise<() => Promise<void>> {
    this.#isOver = false;
    this.#rounds++;
    const counted = await this.#counted();
    const work = Promise.all([
      ...this.busy.map((one) => this.#change(one)),
      ...[1, 2, 3].map((number) => this.#repeatedly(number, (client, chance) => this.#read(client, chance))),
      ...[4, 5, 6].map((number) => this.#repeatedly(number, counted.raise)),
      this.#spoil(),
    ]);
    return async () => {
      this.#isOver = true;
      await work;
      await counted.settle();
    };
  }

  /** Connections that come and go until the signal. Nobody cares what is said on them. */
  async visit(number: number, signal: AbortSignal): Promise<void> {
    const chance = random(this.#seed * 97 + number);
    const pause = (longest: number) => setTimeout(chance.below(longest), undefined, { signal }).catch(() => {});
    for (; !signal.aborted; this.requests++) {
      const way = chance.pick(VISITS);
      const cut = chance.below(way.length + 1);
      const socket = await silent(this.#port).catch(() => undefined);
      socket?.write(way.slice(0, cut));
      await pause(3000);
      if (socket?.writable === true) socket.write(way.slice(cut));
      await pause(6000);
      if (chance.chance(0.5)) socket?.resetAndDestroy();
      else socket?.destroy();
    }
  }

  /** May a request end so at this moment? */
  #isExplained(how: 'ends' | 'refuses'): boolean {
    const is = this.fault?.[how] === true;
    this.explained += Number(is);
    return is;
  }

  async #repeatedly(number: number, act: (client: Client, chance: Random) => Promise<void>): Promise<void> {
    const client = new Client(this.#port);
    const chance = random(this.#seed * 31 + this.#rounds * 7 + number);
    for (; !this.#isOver; await setTimeout(chance.below(PACE))) await act(client, chance);
    client.close();
  }

  /** The answer; undefined where a fault has kept it away. */
  async #ask(client: Client, ...request: Parameters<Client['send']>): Promise<Reply | undefined> {
    const from = performance.now();
    const isPlain = this.fault === undefined;
    const what = `${request[0]} ${request[1]}`;
    this.requests++;
    const reply = await client.send(...request).catch((error: unknown) => {
      if (!this.#isExplained('ends')) this.wrong(`${what} has no answer: ${String(error)}`);
      return undefined;
    });
    if (reply === undefined || (reply.status === 503 && this.#isExplained('refuses'))) return undefined;
    if (reply.status >= 400 && reply.status !== 412) this.wrong(`${what}: ${reply.status} ${reply.text.slice(0, 300)}`);
    if (isPlain && this.fault === undefined) this.longest = Math.max(this.longest, performance.now() - from);
    return reply;
  }

  async #change(one: BusyClient): Promise<void> {
    for (; !this.#isOver; await setTimeout(PACE))
      await one.work({
        port: this.#port,
        pace: PACE,
        isStopped: () => this.#isOver,
        isKilled: () => this.#isExplained('ends'),
        mayRefuse: () => this.#isExplained('refuses'),
      });
  }

  async #read(client: Client, chance: Random): Promise<void> {
    const [method, path, headers] = chance.pick(READS);
    await this.#ask(client, method, path, undefined, headers);
  }

  /** An item that several clients count up under its ETag. */
  async #counted() {
    const path = `/api/todo/${(await addItem(this.#port, '0'))!.key}`;
    let [confirmed, uncertain] = [0, 0];
    const next = (text: string): number => Number((JSON.parse(text) as { readonly name: string }).name) + 1;
    return {
      raise: async (client: Client): Promise<void> => {
        const read = await this.#ask(client, 'GET', path);
        if (read === undefined) return;
        const name = String(next(read.text));
        uncertain++;
        const reply = await this.#ask(client, 'PATCH', path, { name }, { 'If-Match': read.etag! });
        if (reply !== undefined) uncertain--;
        if (reply?.status === 204) confirmed++;
      },
      settle: async (): Promise<void> => {
        const client = new Client(this.#port);
        const count = next((await client.send('GET', path)).text) - 1;
        client.close();
        if (count >= confirmed && count <= confirmed + uncertain) return;
        this.account.lost++;
        this.wrong(`an item counts ${count}: ${confirmed} are confirmed, ${uncertain} uncertain`);
      },
    };
  }

  async #spoil(): Promise<void> {
    for (; !this.#isOver; await setTimeout(PACE)) {
      const { tried } = await fuzz({
        port: this.#port,
        seed: this.#seed + this.requests,
        requests: 10,
        concurrency: 3,
        keys: this.#keys,
        report: (finding) => {
          if (!finding.faults.every((fault) => this.#isExplained(fault === 'status 503' ? 'refuses' : 'ends')))
            this.wrong(JSON.stringify(finding));
        },
      });
      this.requests += tried;
    }
  }
}

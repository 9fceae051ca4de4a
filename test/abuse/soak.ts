/**
 * The same service for minutes under everything at once: good clients, spoiled requests, clients that leave.
 *
 * Memory is compared between the second third of the time, when everything has been used, and the last one, by the
 * lowest value of each: what the collector has not come to yet is no leak.
 */

import { startAbused } from './abused-service.ts';
import { Client } from './client.ts';
import { fuzz } from './fuzz.ts';
import { addItem, type Item, lostItems } from './items.ts';
import { metric } from './metric.ts';
import { random } from './random.ts';

export interface SoakRun {
  readonly requests: number;
  readonly growth: number;
  readonly delay: number;
  readonly lost: number;
  readonly serverErrors: number;
  readonly faults: readonly string[];
  readonly crashed: boolean;
}

const DELAY = 'nodejs_eventloop_lag_max_seconds';

export async function soak({
  seed,
  minutes,
  flags = [],
}: {
  seed: number;
  minutes: number;
  flags?: readonly string[];
}): Promise<SoakRun> {
  // A young generation of the usual size can hide more than a soak of minutes could show.
  const { service, end } = await startAbused(flags, ['--max-semi-space-size=2']);
  const { port } = service;
  const from = performance.now();
  const length = minutes * 60_000;
  const kept: Item[] = [];
  const keys: string[] = [];
  const faults: string[] = [];
  let requests = 0;
  let serverErrors = 0;
  let delay = 0;
  const isOver = (): boolean => performance.now() - from > length || service.child.exitCode !== null;
  for (let at = 0; at < 10; at++) kept.push((await addItem(port, `kept ${at}`))!);
  for (let at = 0; at < 30; at++) keys.push((await addItem(port, `spent ${at}`))!.key);

  async function client(number: number): Promise<void> {
    const chance = random(seed * 31 + number);
    const one = new Client(port);
    while (!isOver()) {
      const path = `/api/todo/${chance.pick(keys)}`;
      const kind = chance.below(10);
      const { status, location } =
        kind < 4
          ? await one.send('GET', path)
          : kind === 4
            ? await one.send('GET', '/api/todo')
            : kind === 5
              ? await one.send('GET', '/swagger/ui/swagger-ui.css')
              : kind === 6
                ? await one.send('DELETE', path)
                : kind === 7
                  ? await one.send('PATCH', path, { name: `soak ${chance.below(999)}` })
                  : await one.send('POST', '/api/todo', { name: 'soak' });
      requests++;
      if (status >= 500 && status !== 507) serverErrors++;
      if (location !== undefined) keys[chance.below(30)] = location.slice('/api/todo/'.length);
    }
    one.close();
  }

  async function spoiler(): Promise<void> {
    for (let round = 0; !isOver(); round++) {
      const { tried } = await fuzz({
        port,
        seed: seed + round,
        requests: 300,
        keys: [...keys],
        concurrency: 6,
        report: (finding) => {
          if (faults.length < 9) faults.push(JSON.stringify(finding));
        },
      });
      requests += tried;
    }
  }

  const samples: number[] = [];
  async function watcher(): Promise<void> {
    while (!isOver()) {
      await new Promise((resolve) => {
        setTimeout(resolve, 250);
      });
      samples.push(service.memory());
      delay = Math.max(delay, await metric(port, DELAY));
    }
  }

  try {
    await Promise.all([...[1, 2, 3, 4].map(client), spoiler(), watcher()]);
    const third = Math.floor(samples.length / 3);
    const least = (part: readonly number[]): number => Math.min(...part);
    const lost = await lostItems(port, kept);
    return {
      requests,
      growth: least(samples.slice(-third)) - least(samples.slice(third, 2 * third)),
      delay,
      lost,
      serverErrors,
      faults,
      crashed: service.child.exitCode !== null,
    };
  } finally {
    await end();
  }
}

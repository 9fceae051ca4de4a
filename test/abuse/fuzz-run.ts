/** A whole fuzzing run: a service of its own, items that must survive it, and what it found. */
import { startAbused } from './abused-service.ts';
import { type Finding, fuzz } from './fuzz.ts';
import { addItem, type Item, lostItems } from './items.ts';
import { metric } from './metric.ts';

/** Findings that are kept; behind so many the run is worth no more. */
const MOST_FINDINGS = 20;

/** What came of it. `delay` is the longest of the event loop, in seconds. */
export async function fuzzRun(options: { seed: number; requests: number; first?: number; concurrency?: number }) {
  const { service, end } = await startAbused();
  const { port } = service;
  try {
    const kept: Item[] = [];
    const keys: string[] = [];
    const findings: Finding[] = [];
    for (let at = 0; at < 10; at++) kept.push((await addItem(port, `kept ${at}`))!);
    for (let at = 0; at < 20; at++) keys.push((await addItem(port, `spent ${at}`))!.key);
    const { tried, statuses } = await fuzz({
      ...options,
      port,
      keys,
      report: (finding) => {
        if (findings.length < MOST_FINDINGS) findings.push(finding);
      },
    });
    const crashed = service.child.exitCode !== null || service.child.signalCode !== null;
    const lost = crashed ? kept.length : await lostItems(port, kept);
    return {
      tried,
      statuses,
      findings,
      lost,
      crashed,
      delay: crashed ? 0 : await metric(port, 'nodejs_eventloop_lag_max_seconds'),
      errors: service.errors(),
    };
  } finally {
    await end();
  }
}

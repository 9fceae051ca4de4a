/**
 * Seeded fuzzing: valid requests spoiled, cut and piled up, each answer judged. The same seed tries the same things.
 */
import { type Delivery, deliver, delivery } from './delivery.ts';
import { judge } from './judgement.ts';
import { mutated } from './mutations.ts';
import { random } from './random.ts';
import { validRequest } from './valid-requests.ts';

export interface FuzzOptions {
  readonly port: number;
  readonly seed: number;
  /** Requests to try, and the number of the first connection: to try one again. */
  readonly requests: number;
  readonly first?: number;
  /** Items that may be changed and deleted. */
  readonly keys: string[];
  readonly concurrency?: number;
  /** Told of everything that is wrong. */
  readonly report: (finding: Finding) => void;
}

/** Something that is wrong, with all it takes to see it again. */
export interface Finding {
  readonly seed: number;
  readonly connection: number;
  readonly faults: readonly string[];
  /** As it was sent, a JSON string of Latin letters. */
  readonly sent: string;
  readonly cuts: readonly number[];
  readonly ending: string;
  readonly received: string;
}

/** What a connection sends: so many requests, most of them spoiled, and how. The keys are those of items. */
export function spoiledConnection(
  seed: number,
  number: number,
  keys: readonly string[],
): { readonly count: number; readonly sent: Buffer; readonly way: Delivery } {
  const chance = random(seed * 1_000_003 + number);
  const count = chance.chance(0.7) ? 1 : 2 + chance.below(4);
  const parts: Buffer[] = [];
  for (let at = 0; at < count; at++) {
    let bytes = validRequest(chance, chance.chance(0.9) ? chance.pick(keys) : 'none', `f${number}-${at}`);
    if (at === count - 1 || chance.chance(0.1))
      for (let spoil = chance.below(4); spoil > 0; spoil--) bytes = mutated(bytes, chance);
    parts.push(bytes);
  }
  const sent = Buffer.concat(parts);
  return { count, sent, way: delivery(chance, sent.length) };
}

/** Keys that are remembered. */
const MOST_KEYS = 60;

/** Tries so many requests. Resolves with how many it were, and the statuses seen. */
export async function fuzz(options: FuzzOptions): Promise<{ tried: number; statuses: Map<number, number> }> {
  const { port, seed, requests, first = 0, keys, concurrency = 64, report } = options;
  const statuses = new Map<number, number>();
  let connection = first;
  let tried = 0;
  async function worker(): Promise<void> {
    while (tried < requests) {
      const number = connection++;
      const { count, sent, way } = spoiledConnection(seed, number, keys);
      tried += count;
      const outcome = await deliver(port, sent, way);
      const { answers, faults } = judge(sent, way, outcome);
      for (const { status, headers } of answers) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const key = status === 201 ? headers.get('location')?.split('/').at(-1) : undefined;
        if (key !== undefined) keys[keys.length < MOST_KEYS ? keys.length : number % MOST_KEYS] = key;
      }
      if (faults.length === 0) continue;
      report({
        seed,
        connection: number,
        faults,
        sent: sent.toString('latin1'),
        ...way,
        received: `${outcome.how}: ${outcome.received.toString('latin1').slice(0, 2000)}`,
      });
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { tried, statuses };
}

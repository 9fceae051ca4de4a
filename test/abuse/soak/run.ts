/**
 * A day in small: load and injected faults on two services, of which one has its processes ended too, and the memory of
 * the other is judged. Ends in one line of figures.
 *
 *     npm run soak -- [--minutes N] [--seed N] [--store redis|file|memory]
 *
 * Without `--store` it takes the first of the three words that this machine can do. The engine or the file is its own.
 */
import { parseArgs } from 'node:util';
import { noPlace, type StoreKind, storePlace } from '../store-place.ts';
import { outcomeOf, type SoakFigures } from './figures.ts';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string' },
  },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0)) throw new RangeError(`Cannot soak for "${values.minutes}" minutes; give a number above 0`);

const KINDS: readonly StoreKind[] = ['redis', 'file', 'memory'];
const kind = KINDS.find((one) => (values.store ?? one) === one && noPlace(one) === false);
if (kind === undefined)
  throw new Error(`Cannot soak a service with --store ${values.store}; give redis, file or memory`);

async function run(kills: boolean): Promise<SoakFigures> {
  const own = await storePlace(kind!);
  try {
    return await soak(own, seed + Number(kills), minutes, kills);
  } finally {
    await own.remove();
  }
}

// What is in memory does not outlive a process.
const others = kind === 'memory' ? [] : [true];
const { wrong, line } = outcomeOf(await Promise.all([run(false), ...others.map(run)]));
for (const one of wrong) console.log(one);
console.log(`soak: ${minutes} min, ${kind}, seed ${seed}, ${line}`);
process.exit(wrong.length === 0 ? 0 : 1);

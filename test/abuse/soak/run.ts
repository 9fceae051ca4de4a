/**
 * A day in small: load and injected faults on two services, of which one has its processes ended too, and the memory of
 * the other is judged. Ends in one line of figures.
 *
 *     npm run soak -- [--minutes N] [--seed N] [--store redis|file|memory|FILE|URL]
 *
 * Without `--store` it takes the first of the three words that this machine can do. The engine or the file is its own.
 * A file or an engine that is named is not disturbed: a new list is made beside the file, or in the engine.
 */
import { parseArgs } from 'node:util';
import { CLIENT_FOLDER } from '../../support/lasting-stores.ts';
import { builtService } from '../built-service.ts';
import { ownList } from '../own-list.ts';
import { noPlace, type StoreKind, type StorePlace, storePlace } from '../store-place.ts';
import { outcomeOf, type SoakFigures } from './figures.ts';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string' },
  },
});
process.env['NODE_PATH'] ??= CLIENT_FOLDER;
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0)) throw new RangeError(`Cannot soak for "${values.minutes}" minutes; give a number above 0`);

const KINDS: readonly StoreKind[] = ['redis', 'file', 'memory'];
const store = values.store ?? KINDS.find((kind) => noPlace(kind) === false)!;
const kind = KINDS.find((one) => one === store);
const reason = kind !== undefined && noPlace(kind);
if (reason !== false) throw new Error(`Cannot soak a service with --store ${store}: ${reason}`);

async function place(part: string): Promise<StorePlace> {
  if (kind !== undefined) return storePlace(kind);
  const flags = ['--metrics', 'on', ...ownList(store, part)];
  return { start: { program: [await builtService()], flags }, remove: async () => {} };
}

async function run(kills: boolean): Promise<SoakFigures> {
  const own = await place(`soak-${kills}`);
  try {
    return await soak({ place: own, seed: seed + Number(kills), minutes, kills });
  } finally {
    await own.remove();
  }
}

// What is in memory does not outlive a process.
const others = kind === 'memory' ? [] : [true];
const { wrong, line } = outcomeOf(await Promise.all([run(false), ...others.map(run)]));
for (const one of wrong) console.log(one);
console.log(`soak: ${minutes} min, ${store}, seed ${seed}, ${line}`);
process.exit(wrong.length === 0 ? 0 : 1);

/**
 * Fills the store of the built service in a container, then requests many lists and sends many long bodies at once.
 * Prints the peak memory and whether the service was killed. Needs root and writable control groups.
 *
 *     npm run test:memory -- [--mib 256,512] [--name 20,2000,1000000] [--worst] [--options=--max-old-space-size=100] \
 *       [--flags="--max-store-bytes 20m"]
 */
import { parseArgs } from 'node:util';
import { builtService } from '../../abuse/built-service.ts';
import { inContainer } from './in-container.ts';

const { values } = parseArgs({
  options: {
    mib: { type: 'string', default: '256' },
    name: { type: 'string', default: '20,2000,1000000' },
    worst: { type: 'boolean', default: false },
    options: { type: 'string', default: '' },
    flags: { type: 'string', default: '' },
  },
});
const words = (text: string): string[] => text.split(/[ ,]+/).filter((word) => word !== '');
const [options, flags] = [words(values.options), words(values.flags)];
const program = [await builtService()];

for (const mib of words(values.mib).map(Number))
  for (const size of words(values.name).map(Number)) {
    const trial = await inContainer({ bytes: mib * 2 ** 20, size, isWorst: values.worst, options, flags, program });
    if (typeof trial === 'string') {
      console.log(`not tried: ${trial}`);
      continue;
    }
    const { items, parts, kills, errors } = trial;
    console.log(`Node ${process.version}, ${mib} MiB, ${items} items with names of ${size}: ${kills} killed`);
    for (const { name, peak, answers } of parts) {
      const counts = [...(answers?.counts ?? [])].map(([status, count]) => `, ${count} times ${status}`).join('');
      console.log(`  ${name}: at most ${Math.round(peak / 2 ** 20)} MiB${counts}`);
    }
    if (kills > 0) process.exitCode = 1;
    if (errors !== '') console.log(`  ${errors.slice(-500)}`);
  }

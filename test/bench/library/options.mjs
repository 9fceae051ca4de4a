/** The command line of the bench. */
import { parseArgs } from 'node:util';

/** What was asked for: `only` is undefined for everything. Throws for a flag that does not exist. */
export function options(argv, tables) {
  const { values } = parseArgs({
    args: argv,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string' },
      load: { type: 'string', default: 'wrk' },
      service: { type: 'string' },
    },
  });
  const only = values.only?.split(',');
  const unknown = only?.find((name) => !tables.includes(name));
  if (unknown !== undefined) throw new Error(`There is no table "${unknown}"; there are ${tables.join(', ')}`);
  return { ...values, only, rounds: values.rounds === undefined ? undefined : Number(values.rounds) };
}

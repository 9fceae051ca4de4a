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
      sets: { type: 'string' },
      row: { type: 'string', default: '' },
      node: { type: 'string' },
      json: { type: 'boolean', default: false },
      service: { type: 'string' },
    },
  });
  const only = values.only?.split(',');
  const names = tables.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`There is no table "${unknown}"; there are ${names.join(', ')}`);
  const [rounds, sets] = [values.rounds, values.sets].map((text) => (text === undefined ? undefined : Number(text)));
  return { ...values, only, rounds, sets };
}

/** Prints the tables of `README.md` in this folder, for `npm run settings`. */
import { settingsTable } from './help.ts';

process.stdout.write(`${settingsTable()}\n`);

/** Prints the tables of `src/program/settings/README.md`, for `npm run settings`. */
import { settingsTable } from './settings/help.ts';

process.stdout.write(`${settingsTable()}\n`);

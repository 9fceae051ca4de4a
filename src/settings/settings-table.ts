/** `npm run settings`: prints the README's table of settings, which a test compares with the README. */
import { settingsTable } from './help.ts';

process.stdout.write(`${settingsTable()}\n`);

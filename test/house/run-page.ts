/** Runs one program of a page: `npm run page -- src/guide/replies.md 2` runs the second one. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf, written } from './page-programs.ts';

const [page = '', number = '1'] = process.argv.slice(2);
const programs = blocksOf(page, 'ts', 'js');
const program = programs[Number(number) - 1];
if (program === undefined) throw new RangeError(`${page} has the programs 1 to ${programs.length}, but not ${number}`);
await import(written(program, mkdtempSync(join(tmpdir(), 'page-'))));

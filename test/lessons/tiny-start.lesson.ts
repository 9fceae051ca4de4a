/** Reports which holes of `tiny-start.ts` are filled. */
import { test } from 'node:test';
import { CASES } from './tiny-cases.ts';
import * as start from './tiny-start.ts';
import { WITHIN } from './work.ts';

for (const [name, holds] of Object.entries(CASES)) test(name, WITHIN, () => holds(start));

/** *Authorize* on the interactive page in a real browser, where there is one. */
import { test } from 'node:test';
import { whyNot } from './webdriver.ts';

if (whyNot === undefined) await import('./authorize-tests.ts');
else test('page – Authorize in a real browser', { skip: whyNot });

/** Tests *Authorize* on the interactive page, if a real browser is installed. */
import { test } from 'node:test';
import { whyNot } from './webdriver.ts';

if (whyNot === undefined) await import('./authorize-tests.ts');
else test('page – Authorize in a real browser', { skip: whyNot });

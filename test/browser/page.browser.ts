/** Tests the interactive page, if a real browser is installed. `PICTURES=1` updates the pictures of the README. */
import { test } from 'node:test';
import { whyNot } from './webdriver.ts';

if (whyNot === undefined) await import('./page-tests.ts');
else test('page – the page in a real browser', { skip: whyNot });

/** The interactive page in a real browser, where there is one. `PICTURES=1` renews the pictures of the README. */
import { test } from 'node:test';
import { whyNot } from './webdriver.ts';

if (whyNot === undefined) await import('./page-tests.ts');
else test('page – the page in a real browser', { skip: whyNot });

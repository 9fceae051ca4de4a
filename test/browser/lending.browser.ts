/** The page of a second application in a real browser, where there is one. */
import { test } from 'node:test';
import { whyNot } from './webdriver.ts';

if (whyNot === undefined) await import('./lending-tests.ts');
else test('page – the lending application in a real browser', { skip: whyNot });

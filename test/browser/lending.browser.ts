/** Tests the page of a second application, if a real browser is installed. */
import { test } from 'node:test';
import { whyNot } from './webdriver.ts';

if (whyNot === undefined) await import('./lending-tests.ts');
else test('page – the lending application in a real browser', { skip: whyNot });

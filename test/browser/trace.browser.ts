/** The trace page in a real browser, where there is one. `PICTURES=1` renews its pictures. */
import { test } from 'node:test';
import { whyNot } from './webdriver.ts';

if (whyNot === undefined) await import('./trace-tests.ts');
else test('trace – the page in a real browser', { skip: whyNot });

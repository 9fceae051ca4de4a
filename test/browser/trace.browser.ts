/** Tests the trace page, if a real browser is installed. `PICTURES=1` updates its pictures. */
import { test } from 'node:test';
import { whyNot } from './webdriver.ts';

if (whyNot === undefined) await import('./trace-tests.ts');
else test('trace – the page in a real browser', { skip: whyNot });

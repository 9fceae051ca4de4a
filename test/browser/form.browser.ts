/** Tests plain HTML forms, if a real browser is installed. */
import { test } from 'node:test';
import { whyNot } from './webdriver.ts';

if (whyNot === undefined) await import('./form-tests.ts');
else test('D128 – plain HTML forms in a real browser', { skip: whyNot });

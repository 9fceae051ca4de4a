/** Tests the login of the guide, if a real browser is installed. */
import { test } from 'node:test';
import { whyNot } from './webdriver.ts';

if (whyNot === undefined) await import('./login-tests.ts');
else test('login – the page of the guide in a real browser', { skip: whyNot });

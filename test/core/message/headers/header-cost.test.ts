/**
 * The time to read a header grows in proportion to its length: for each header that the service reads, with long runs
 * of separators, blanks, quotes and digits. A value that is four times as long must take less than ten times as long.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../../../../src/core/message/context.ts';
import { contextFor } from '../../../../src/core/wire/in-memory.ts';
import { forwarded, trustedProxies } from '../../../../src/core/wire/trusted-proxy.ts';
import { app } from '../../../../src/program/app.ts';
import { defaults } from '../../../../src/program/settings/settings.ts';
import { assertAboutLinear } from '../../../support/about-linear.ts';
import { often } from '../../../support/long-run.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const HEADERS = [
  'Accept',
  'Accept-Encoding',
  'Access-Control-Request-Headers',
  'Access-Control-Request-Method',
  'Content-Encoding',
  'Content-Type',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Range',
  'If-Unmodified-Since',
  'Origin',
  'Range',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Prefix',
  'X-Forwarded-Proto',
  'X-Request-Id',
  'Host',
  'Transfer-Encoding',
  'Expect',
];
/** With `Expect` the type of a body is checked before the body is read, and so within the measured call. */
const SENT = { 'Content-Type': 'application/json', Expect: '100-continue' };
/** A value is a valid beginning, a run of repeated characters, and an end that may be malformed. */
const BEGINNINGS = [
  '',
  '"',
  'application/json;charset=',
  'application/json;charset="',
  'text/plain;q=',
  'bytes=',
  'for="',
  'W/"a",',
];
const RUNS = [
  ' ',
  '\t',
  ',',
  ';',
  '=',
  '"',
  '\\',
  '0',
  '1.',
  '-',
  '/',
  '*',
  'a',
  ':',
  '%',
  '[',
  ' ,',
  ', ',
  '; ',
  'a,',
  'a;',
  'a=',
  'a=b;',
  '"a",',
  '""',
  '\\"',
  '*/*,',
  'a/b;',
  'gzip,',
  'W/',
  '::',
  '/a',
  '\xe9',
];
const ENDS = ['', 'a b"'];
/** Of the beginnings and runs, each header meets every so manieth, and each another part of them. */
const STEP = often(31, 1);
const COMBINATIONS = BEGINNINGS.flatMap((beginning) => RUNS.map((run) => [beginning, run] as const));
/**
 * In characters. Four times as many are most of the longest head that the server reads, and as many pieces stay below
 * the length of a list for which V8 asks the system for memory each time.
 */
const SIZE = 3 * 1024;

const { application } = await app({
  ...defaults(),
  corsOrigins: ['https://a.example'],
  trustedProxies: ['loopback'],
  staticRoot: temporaryFolder({ 'a.txt': 'a' }),
});
await application.start();
const trusted = trustedProxies(['loopback']);
const TARGETS: readonly (readonly [method: string, target: string, body?: string])[] = [
  ['GET', '/api/todo'],
  ['PATCH', '/api/todo/x', '{}'],
  ['GET', '/a.txt'],
  ['OPTIONS', '/api/todo'],
];

function asked(method: string, target: string, name: string, value: string, body?: string): Context | undefined {
  try {
    return contextFor(target, { method, headers: { ...SENT, [name]: value }, ...(body !== undefined && { body }) });
  } catch {
    // The request was refused before the first stage; the time that this took is measured too.
    return undefined;
  }
}

for (const [at, name] of HEADERS.entries()) {
  const combinations = COMBINATIONS.filter((_, number) => number % STEP === at % STEP);
  test(`limits – ${name} with long runs of separators, blanks, quotes and digits → about linear`, async () => {
    for (const [beginning, run] of combinations)
      for (const end of ENDS) {
        const valueOf = (times: number): string => beginning + run.repeat((times * SIZE) / run.length) + end;
        assertAboutLinear(JSON.stringify([name, beginning, run, end]), (times) => {
          const value = valueOf(times);
          return () => {
            for (const [method, target, body] of TARGETS) {
              const context = asked(method, target, name, value, body);
              if (context === undefined) continue;
              const reply = application.handler(context);
              if (reply instanceof Promise) reply.catch((error: unknown) => assert.fail(String(error)));
              Object.defineProperty(context.request.socket, 'remoteAddress', {
                value: '127.0.0.1',
                configurable: true,
              });
              forwarded(context.request, trusted);
            }
          };
        });
      }
  });
}

/**
 * The time to parse a header grows in proportion to its length. Each header that the service reads is tested with long
 * runs of separators, blanks, quotes and digits, after a valid beginning, with and without a malformed end.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { app } from '../../../../src/service/app.ts';
import { readSettings } from '../../../../src/service/settings/settings.ts';
import { contextFor } from '../../../../src/testing.ts';
import { assertAboutLinear } from '../../../support/about-linear.ts';
import { often } from '../../../support/long-run.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const HEADERS = `Accept Accept-Encoding Access-Control-Request-Headers Access-Control-Request-Method Content-Encoding
  Content-Type Expect Host If-Match If-Modified-Since If-None-Match If-Range If-Unmodified-Since Origin Range
  Transfer-Encoding X-Forwarded-For X-Forwarded-Host X-Forwarded-Prefix X-Forwarded-Proto X-Request-Id`.split(/\s+/);
const BEGINNINGS = [
  '',
  '"',
  'application/json;charset=',
  'application/json;charset="',
  'text/plain;q=',
  'bytes=',
  'W/"a",',
];
const RUNS = [
  ...[' ', '\t', ',', ';', '=', '"', '\\', '0', '1.', '-', '/', '*', 'a', ':', '%', '[', ' ,', ', ', '; ', 'a,', 'a;'],
  ...['a=', 'a=b;', '"a",', '""', '\\"', '*/*,', 'a/b;', 'gzip,', 'W/', '::', '/a', '\xe9'],
];
const COMBINATIONS = BEGINNINGS.flatMap((beginning) => RUNS.map((run) => [beginning, run] as const));
/** Each header is tested with every `STEP`th combination, and each with others. */
const STEP = often(31, 4);
/** In characters. Four times this size is almost the longest head that the server reads. */
const SIZE = 3 * 1024;

const { application } = await app({
  ...readSettings([], {}),
  corsOrigins: ['https://a.example'],
  trustedProxies: ['loopback'],
  static: temporaryFolder({ 'a.txt': 'a' }),
});
await application.start();

function answer(method: string, target: string, headers: Record<string, string>, body?: string): void {
  // With `Expect`, the type of a body is checked before the body is read, within the measured call.
  const sent = { 'Content-Type': 'application/json', Expect: '100-continue', ...headers };
  let context: ReturnType<typeof contextFor>;
  try {
    context = contextFor(target, { method, headers: sent, ...(body !== undefined && { body }) });
  } catch {
    // The request was refused before the first stage. That time is measured too.
    return;
  }
  const reply = application.handler(context);
  if (reply instanceof Promise) reply.catch((error: unknown) => assert.fail(String(error)));
}

for (const [at, name] of HEADERS.entries())
  test(`limits – ${name} with long runs of separators, blanks, quotes and digits → about linear`, () => {
    for (const [beginning, run] of COMBINATIONS.filter((_, number) => number % STEP === at % STEP))
      for (const end of ['', 'a b"'])
        assertAboutLinear(JSON.stringify([name, beginning, run, end]), (times) => {
          const headers = { [name]: beginning + run.repeat((times * SIZE) / run.length) + end };
          return () => {
            answer('GET', '/api/todo', headers);
            answer('PATCH', '/api/todo/x', headers, '{}');
            answer('GET', '/a.txt', headers);
            answer('OPTIONS', '/api/todo', headers);
          };
        });
  });

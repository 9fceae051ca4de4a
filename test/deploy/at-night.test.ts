/** Tests that the page "At 3 a.m." explains each alert and each line that the service can log. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesIn, textOf } from '../house/source-files.ts';

const page = textOf('src/guide/operate/at-night.md');
/** The first cells of the tables, each with a name or a quoted line. */
const explained = Array.from(page.matchAll(/^\| `([^|`]+)` \|/gm), ([, text]) => text!);

/** Matches a call that logs a text, with the text or its start. */
const LOGGED =
  /\b(?:logWarning|logInfo|warn|printLine|(?:logError|logErrorLine|report)\(\s*new Error)\(\s*(?:`([^`]+)`|'([^']+)')/g;
const sources = filesIn('src')
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, code: textOf(path) }));
const logged = sources.flatMap(({ path, code }) =>
  Array.from(code.matchAll(LOGGED), ([, template, text]) => ({ path, text: (template ?? text)! })),
);

/** Returns the pattern of a line: `The store ${what} is full` matches `The store NAME is full`. */
const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replace(/\W/g, '\\$&'))
      .join('[^]+')}`,
  );

test('D116 – the page for 3 a.m. → explains each alert, in the same order', () => {
  const alerts = Array.from(textOf('src/deploy/alerts.yml').matchAll(/- alert: (\w+)/g), ([, name]) => name!);
  assert.deepEqual(
    explained.filter((text) => /^Todo\w+$/.test(text)),
    alerts,
  );
});

test('the page for 3 a.m. → explains each line that a call in the sources logs', () => {
  assert.ok(logged.length >= 15, `${logged.length} lines`);
  const missing = logged.filter(({ text }) => !explained.some((line) => patternOf(text).test(line)));
  assert.deepEqual(missing, [], 'add a row for each to src/guide/operate/at-night.md');
});

test('the page for 3 a.m. → quotes lines exactly as in the sources', () => {
  // The sources split some texts into pieces.
  const codes = sources.map(({ code }) => code.replace(/[`'] \+\s+[`']/g, ''));
  const isThere = (line: string): boolean =>
    codes.some((code) => line.split(/[A-Z]{3,}/).every((part) => code.includes(part.trim())));
  assert.deepEqual(
    explained.filter((text) => !/^Todo\w+$/.test(text) && !isThere(text)),
    [],
  );
});

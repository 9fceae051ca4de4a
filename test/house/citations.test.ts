/**
 * Follows each citation of a decision (`D21`), a section (`§4.3 rule 2`) or a rule (`B.4`, `S1`) to its entry in a page
 * beside the tests.
 *
 * A section behind the number of a standard in the same comment, paragraph or line is that standard's:
 * `RFC 9110 §13.2.2, §14.2`. Any other is the specification's, which has nine sections and one level below them.
 * A section that it cannot have belongs to a standard that the file names before.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { filesIn, ROOT, textOf } from './source-files.ts';

const DECISIONS = 'test/decisions.md';
const SPECIFICATION = 'test/specification.md';
const ROUTING = 'test/routing-rules.md';
const DESCRIPTION = 'test/description-rules.md';
const RULES = [DECISIONS, SPECIFICATION, ROUTING, DESCRIPTION];

const ENTRY = /^(?:#+ |- \*\*)(§\d+(?:\.\d+)*(?: rule \d+)?|[A-E]\.\d+(?:\.\d+)*|[DS]\d+)(?![\d.])/gm;
const STANDARD = /\b(?:RFC \d+|ECMA-\d+)/;
const SECTION = /§(\d+(?:\.\d+)*)(?: rules? (\d+(?:(?:–|, | and )\d+)*))?/g;
const RULE = /(?<![\w.])[A-E]\.\d+(?:\.\d+)*|(?<![\w\\{%+.])(?:D\d+|S\d)(?!\w)/g;
const entriesIn = (file: string): string[] => [...textOf(file).matchAll(ENTRY)].map((found) => `${file} ${found[1]}`);
const listed = RULES.flatMap(entriesIn);
const entries = new Set(listed);

/** Comments, paragraphs and list items in one piece each; any other line is a piece by itself. */
const piecesOf = (file: string, text: string): string[] =>
  file.endsWith('.md')
    ? text.split(/\n(?=\s*\n|\s*- |#|\|)/).map((piece) => piece.replace(/\s+/g, ' '))
    : text
        .replace(/\n[ \t]*\*(?!\/)[ \t]?/g, ' ')
        .replace(/(?<=^[ \t]*\/\/.*)\n[ \t]*\/\/[ \t]?/gm, ' ')
        .split('\n');

/** `1–3` → 1, 2, 3; `1 and 4` → 1, 4. */
function numbersIn(list: string): number[] {
  return list.split(/, | and /).flatMap((part) => {
    const [first, last = first] = part.split('–').map(Number) as [number, number?];
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

/**
 * The page of a rule or decision. Two pages number their rules from A; operations and what stands on them cite the
 * description's.
 */
function pageOf(rule: string, file: string): string {
  if (/^D\d/.test(rule)) return DECISIONS;
  return /^[A-E]/.test(rule) &&
    (/^(?:src|test)\/(?:operations|extensions\/(?:collection|description|files|uploads))\//.test(file) ||
      file === DESCRIPTION)
    ? DESCRIPTION
    : ROUTING;
}

/** What a text cites of ours, each as page and entry. */
function citationsIn(file: string, text: string): string[] {
  let standardNamed = false;
  return piecesOf(file, text).flatMap((piece) => {
    const standard = piece.search(STANDARD);
    standardNamed ||= standard >= 0;
    const sections = [...piece.matchAll(SECTION)].flatMap(({ index, 1: section, 2: list }) => {
      if (list === undefined && standard >= 0 && standard < index) return [];
      if (standardNamed && !/^[1-9](?:\.\d)?$/.test(section!)) return [];
      const numbers = list === undefined ? [''] : numbersIn(list).map((number) => ` rule ${number}`);
      return numbers.map((rule) => `${SPECIFICATION} §${section}${rule}`);
    });
    const others = [...piece.matchAll(RULE)].map(([rule]) => `${pageOf(rule, file)} ${rule}`);
    return [...sections, ...others];
  });
}

const own = basename(import.meta.url);
const readable = ['README.md', ...filesIn('src'), ...filesIn('test')].filter(
  (path) => /\.(?:ts|mjs|js|md)$/.test(path) && basename(path) !== own,
);
const cited = readable.map((file) => ({ file, citations: citationsIn(file, textOf(file)) }));

test('house – every citation in the sources, the tests and the pages → has an entry beside the tests', () => {
  assert.ok(readable.length > 250, `${readable.length} files were read`);
  assert.ok(cited.flatMap(({ citations }) => citations).length > 500);
  const faults = cited.flatMap(({ file, citations }) =>
    citations.filter((one) => !entries.has(one)).map((one) => `${file} cites ${one.slice(one.indexOf(' ') + 1)}`),
  );
  assert.deepEqual(faults, []);
});

test('house – numbers of entries → each once', () =>
  assert.deepEqual(
    listed.filter((entry, at) => listed.indexOf(entry) !== at),
    [],
  ));

test('house – every decision → names its tests, and what a page names is there', () => {
  const without = listed.filter((entry) => entry.startsWith(DECISIONS) && testsOf(entry).length === 0);
  assert.deepEqual(without, []);
  const named = RULES.flatMap((page) => [...textOf(page).matchAll(/`([\w./-]+\.ts)`/g)].map((found) => found[1]!));
  assert.deepEqual(
    named.filter((path) => !existsSync(join(ROOT, 'test', path))),
    [],
  );
});

/** The tests that the entry of a decision names. */
function testsOf(entry: string): string[] {
  const [page, number] = entry.split(' ') as [string, string];
  const text = piecesOf(page, textOf(page)).find((piece) => piece.trimStart().startsWith(`- **${number} `)) ?? '';
  return [...text.matchAll(/`([\w./-]+\.ts)`/g)].map((found) => found[1]!);
}

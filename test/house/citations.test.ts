/**
 * Checks that each cited decision (`D21`), section (`§4.3 rule 2`) or rule (`B.4`, `S1`) has an entry in a page of
 * `src/guide/`.
 *
 * A section after the number of a standard in the same comment, paragraph or line belongs to that standard:
 * `RFC 9110 §13.2.2, §14.2`. Other sections belong to the specification, which has nine sections with one level below
 * them. A section that the specification cannot have belongs to a standard that the file cites earlier.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { filesIn, ROOT, textOf } from './source-files.ts';

const DECISIONS = 'src/guide/decisions.md';
const SPECIFICATION = 'src/guide/specification.md';
const ROUTING = 'src/guide/routing-rules.md';
const DESCRIPTION = 'src/guide/description-rules.md';
const RULES = [DECISIONS, SPECIFICATION, ROUTING, DESCRIPTION];

const ENTRY = /^(?:#+ |- \*\*)(§\d+(?:\.\d+)*(?: rule \d+)?|[A-E]\.\d+(?:\.\d+)*|[DS]\d+)(?![\d.])/gm;
const STANDARD = /\b(?:RFC \d+|ECMA-\d+)/;
const SECTION = /§(\d+(?:\.\d+)*)(?: rules? (\d+(?:(?:–|, | and )\d+)*))?/g;
const RULE = /(?<![\w.])[A-E]\.\d+(?:\.\d+)*|(?<![\w\\{%+.])(?:D\d+|S\d)(?!\w)/g;
const entriesIn = (file: string): string[] => [...textOf(file).matchAll(ENTRY)].map((found) => `${file} ${found[1]}`);
const listed = RULES.flatMap(entriesIn);
const entries = new Set(listed);

/** Splits a text into pieces: comments, paragraphs, list items and single lines of code. */
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
 * Returns the page of a rule or decision. Two pages number their rules from A. Operations and the plugins that use
 * them cite the rules of the description.
 */
function pageOf(rule: string, file: string): string {
  if (/^D\d/.test(rule)) return DECISIONS;
  return /^[A-E]/.test(rule) &&
    (/^(?:src|test)\/(?:operations|plugins\/(?:collection|description|files))\//.test(file) || file === DESCRIPTION)
    ? DESCRIPTION
    : ROUTING;
}

/** Returns the citations of a text that belong to this project, each as page and entry. */
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

const thisFile = basename(import.meta.url);
const readable = ['README.md', ...filesIn('src'), ...filesIn('test')].filter(
  (path) => /\.(?:ts|mjs|js|md)$/.test(path) && basename(path) !== thisFile,
);
const cited = readable.map((file) => ({ file, citations: citationsIn(file, textOf(file)) }));

test('house – every citation in the sources, the tests and the pages → has an entry in a page of the guide', () => {
  assert.ok(readable.length > 250, `${readable.length} files were read`);
  assert.ok(cited.flatMap(({ citations }) => citations).length > 500);
  const faults = cited.flatMap(({ file, citations }) =>
    citations.filter((entry) => !entries.has(entry)).map((entry) => `${file} cites ${entry.replace(/^\S+ /, '')}`),
  );
  assert.deepEqual(faults, []);
});

test('house – the numbers of the entries → are unique', () =>
  assert.deepEqual(
    listed.filter((entry, at) => listed.indexOf(entry) !== at),
    [],
  ));

test('house – every decision → names its tests, and every test that a page names exists', () => {
  const without = listed.filter((entry) => entry.startsWith(DECISIONS) && testsOf(entry).length === 0);
  assert.deepEqual(without, []);
  const named = RULES.flatMap((page) => [...textOf(page).matchAll(/`([\w./-]+\.ts)`/g)].map((found) => found[1]!));
  assert.deepEqual(
    named.filter((path) => !existsSync(join(ROOT, 'test', path))),
    [],
  );
});

/** Returns the tests that the entry of a decision names. */
function testsOf(entry: string): string[] {
  const [page, number] = entry.split(' ') as [string, string];
  const text = piecesOf(page, textOf(page)).find((piece) => piece.trimStart().startsWith(`- **${number} `)) ?? '';
  return [...text.matchAll(/`([\w./-]+\.ts)`/g)].map((found) => found[1]!);
}

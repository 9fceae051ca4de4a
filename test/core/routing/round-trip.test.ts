/**
 * A link without a query matches its route and gives the values of the link, unless an earlier route matches (D30).
 *
 * The test leaves out values that a path cannot carry: dot segments, empty segments of a catch-all, U+0000, lone
 * surrogates, and values hidden by the trailing period of D24 or the first slash of E.4.9.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldCase, sameText } from '../../../src/core/http/text.ts';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import type { Segment } from '../../../src/core/routing/template.ts';
import { often } from '../../support/long-run.ts';
import { unansweredRoute } from '../../support/unanswered.ts';
import { pick, randomNumbers, randomRoute } from './random-routes.ts';

const ROUNDS = often(6_000, 30_000);
const ambiguous = (segment: Segment, values: Readonly<Record<string, string>>): boolean => {
  const literals = segment.map((part) => (part.kind === 'literal' ? part.text : '')).join('');
  return segment.some(
    (part) =>
      part.kind === 'parameter' &&
      [...foldCase(values[part.name] ?? '')].some((character) => literals.includes(character)),
  );
};
const VALUES = [
  ...String.raw`a A 1 42 x.y a-b ü 日本 😀 100% %41 a/b ? # & = + " \ a;b a:b it's {x} a.b.c ~ [1] é x..y`.split(' '),
  ...['a b', '\t', '\u00a0'],
];
test(`D30 – ${ROUNDS} links of random routes → match again, with the same values`, (t) => {
  let linkCount = 0;
  let matchCount = 0;
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const random = randomNumbers(seed * 7919);
    const row = randomRoute(random);
    const route = unansweredRoute(row);
    const collection = new RouteCollection().add(route);
    const { parameters, segments } = route.template;
    const values: Record<string, string> = {};
    for (const parameter of parameters)
      if (random() < 0.85)
        values[parameter.name] = parameter.catchAll
          ? `${pick(random, VALUES)}/${pick(random, VALUES)}`.replaceAll(/\/+/g, '/')
          : pick(random, VALUES);
    const link = collection.link(values);
    if (link === undefined) continue;
    linkCount++;
    const [path] = link.path.split('?') as [string];
    // Without its value, `.{ext?}` leaves only the slash (E.4.7).
    if (
      segments.some(
        ([dot, ext]) =>
          dot?.kind === 'literal' && ext?.kind === 'parameter' && ext.optional && values[ext.name] === undefined,
      )
    )
      continue;
    assert.equal(link.path.includes('?'), false);
    const method = [row.method ?? 'GET'].flat()[0]!;
    const match = collection.find(method, path);
    // Parts match from the right. Values that contain a literal of the segment can be split elsewhere (B.4).
    if (segments.some((segment) => segment.length > 1 && ambiguous(segment, { ...match?.values, ...values }))) continue;
    const message = `seed ${seed}: ${row.template} with ${JSON.stringify(values)} gives ${path}`;
    assert.ok(match, `${message}, which does not match`);
    for (const [name, value] of Object.entries(values))
      assert.ok(
        match.values[name] === value || sameText(match.values[name] ?? '', value),
        `${message}: ${name} is ${JSON.stringify(match.values[name])}`,
      );
    matchCount++;
  }
  t.diagnostic(`${linkCount} links made, ${matchCount} matched`);
  assert.ok(matchCount > ROUNDS / 4);
});

/**
 * A collection answers as if it tried each route in order. `matchAlone` tries one route by the rules alone: it compares
 * the method, the literals and the number of segments without a tree.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SentPath, sentPath } from '../../../src/core/http/path.ts';
import { sameText } from '../../../src/core/http/text.ts';
import { ConstraintTable } from '../../../src/core/routing/constraints/constraint-table.ts';
import { matchRoute } from '../../../src/core/routing/match-route.ts';
import { type PreparedRoute, prepareRoute } from '../../../src/core/routing/prepared-route.ts';
import type { RouteMatch, RouteValues } from '../../../src/core/routing/route.ts';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import { takesMethod } from '../../../src/core/routing/route-index.ts';
import { often } from '../../support/long-run.ts';
import { unansweredRoute } from '../../support/unanswered.ts';
import { pick, type RandomRoute, randomNumbers, randomPath, randomRoute } from './random-routes.ts';

const COLLECTIONS = often(200, 1_000);
const QUESTIONS = 105;
const METHODS = ['GET', 'GET', 'POST', 'head', 'PUT', 'OPTIONS'];
const randomRoutes = (random: () => number): RandomRoute[] =>
  Array.from({ length: 1 + Math.floor(random() * random() * 24) }, () => randomRoute(random));

function prepared(routes: readonly RandomRoute[]): PreparedRoute[] {
  const table = new ConstraintTable();
  return routes.map((route, position) => prepareRoute(unansweredRoute(route), position, table, [])!);
}

/** Returns the values of a route that matches, else undefined (rule B.2). */
function matchAlone(prepared: PreparedRoute, method: string, path: SentPath): RouteValues | undefined {
  const { segments } = prepared.route.template;
  const sent = path.segments;
  const isCatchAll = (depth: number) => segments[depth]?.[0]?.kind === 'parameter' && segments[depth][0].catchAll;
  const end = segments.findIndex((_, depth) => isCatchAll(depth));
  if (!takesMethod(prepared, method) || sent.length < prepared.requiredSegments) return undefined;
  if (end < 0 && sent.length > segments.length) return undefined;
  const fits = sent.slice(0, end < 0 ? undefined : end + 1).every((text, depth) => {
    const [part, ...more] = segments[depth]!;
    return text !== '' && (part!.kind === 'parameter' || more.length > 0 || sameText(part!.text, text));
  });
  const result = fits ? matchRoute(prepared, path) : undefined;
  return result && 'values' in result ? result.values : undefined;
}

const ASKED = COLLECTIONS * QUESTIONS;
test(`4.3 – ${ASKED} questions to ${COLLECTIONS} collections → the first route that matches alone`, (t) => {
  let matched = 0;
  for (let seed = 1; seed <= COLLECTIONS; seed++) {
    const random = randomNumbers(seed);
    const routes = randomRoutes(random);
    const alone = prepared(routes);
    const collection = new RouteCollection().add(...alone.map(({ route }) => route));
    for (let question = 0; question < QUESTIONS; question++) {
      const path = randomPath(random, routes);
      const method = pick(random, METHODS);
      const found = collection.find(method, path);
      const expected = firstOf(alone, method.toUpperCase(), sentPath(path));
      const explained = collection.explain(method, path).find(({ accepted }) => accepted);
      if (found !== undefined) matched++;
      if (!same(found, expected) || explained?.route !== found?.route)
        assert.fail(`seed ${seed}, ${method} ${path}: ${shown(found)}, alone ${shown(expected)}`);
    }
  }
  t.diagnostic(`${matched} of ${ASKED} matched`);
  assert.ok(matched > ASKED * 0.25);
});

function firstOf(routes: readonly PreparedRoute[], method: string, path: SentPath): RouteMatch | undefined {
  for (const prepared of routes) {
    const values = matchAlone(prepared, method, path);
    if (values) return { route: prepared.route, values };
  }
  return undefined;
}

function same(left: RouteMatch | undefined, right: RouteMatch | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  if (left.route !== right.route) return false;
  const names = Object.keys(left.values);
  return (
    names.length === Object.keys(right.values).length && names.every((name) => left.values[name] === right.values[name])
  );
}

const shown = (match: RouteMatch | undefined): string =>
  match ? `${match.route.template.text} ${JSON.stringify(match.values)}` : 'none';

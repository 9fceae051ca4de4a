/**
 * A collection answers as if it tried each route in order. `firstOf` compares the request with every route, without an
 * index.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SentPath, sentPath } from '../../../src/core/http/path.ts';
import { ConstraintTable } from '../../../src/core/routing/constraints/constraint-table.ts';
import { fits, matchRoute, takesMethod } from '../../../src/core/routing/match-route.ts';
import { type PreparedRoute, prepareRoute } from '../../../src/core/routing/prepared-route.ts';
import type { RouteMatch } from '../../../src/core/routing/route.ts';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
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
  return routes.map((route) => prepareRoute(unansweredRoute(route), table, [])!);
}

const ASKED = COLLECTIONS * QUESTIONS;
test(`4.3 – ${ASKED} questions to ${COLLECTIONS} collections → the first route that matches without an index`, (t) => {
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
    const isProposed = takesMethod(prepared, method) && fits(prepared, path.segments);
    const result = isProposed ? matchRoute(prepared, path) : undefined;
    if (result !== undefined && 'values' in result) return result;
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

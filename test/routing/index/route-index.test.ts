/** `RouteIndex` and `ReferenceIndex` fulfil one contract, and a collection answers as an ordered scan does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConstraintTable } from '../../../src/routing/constraints/constraint-table.ts';
import { MatchScratch } from '../../../src/routing/index/candidates.ts';
import { ReferenceIndex } from '../../../src/routing/index/reference-index.ts';
import { RouteIndex } from '../../../src/routing/index/route-index.ts';
import { matchRoute, matchValues, takesMethod } from '../../../src/routing/match/match-route.ts';
import { RoutePath } from '../../../src/routing/match/route-path.ts';
import { plainValues } from '../../../src/routing/match/route-values.ts';
import { type PreparedRoute, RoutePreparer } from '../../../src/routing/route/prepared-route.ts';
import type { Route, RouteMatch } from '../../../src/routing/route/route.ts';
import { route } from '../../../src/routing/route/route.ts';
import { RouteCollection } from '../../../src/routing/route-collection.ts';
import { pick, type RandomRoute, randomNumbers, randomPath, randomRoute } from '../random-routes.ts';

const COLLECTIONS = 2_000;
const QUESTIONS = 105;
const METHODS = ['GET', 'GET', 'POST', 'head', 'PUT', 'OPTIONS'];
const unanswered = (): never => {
  throw new Error('not asked');
};

const randomRoutes = (random: () => number): RandomRoute[] =>
  Array.from({ length: 1 + Math.floor(random() * random() * 24) }, () => randomRoute(random));

const made = ({ template, ...options }: RandomRoute): Route =>
  route({ path: template as string, ...options, handle: unanswered });

function prepared(routes: readonly RandomRoute[]): PreparedRoute[] {
  const preparer = new RoutePreparer(new ConstraintTable());
  return routes.map((one, position) => preparer.prepare(made(one), position, [])!);
}

for (const Index of [RouteIndex, ReferenceIndex]) {
  test(`4.3 – ${Index.name}, random routes → all that match, in order; plain ones always match`, (t) => {
    let matched = 0;
    let rejected = 0;
    for (let seed = 1; seed <= COLLECTIONS / 4; seed++) {
      const random = randomNumbers(seed * 17);
      const given = randomRoutes(random);
      const routes = prepared(given);
      const index = new Index();
      const { bounds, candidates } = new MatchScratch();
      for (const one of routes) index.add(one);
      for (let question = 0; question < QUESTIONS; question++) {
        const text = randomPath(random, given);
        const method = random() < 0.1 ? undefined : pick(random, METHODS).toUpperCase();
        const path = new RoutePath(text, bounds);
        const asked = `seed ${seed}, ${method} ${text}`;
        candidates.reset(method);
        index.findCandidates(path, candidates);
        const alone = new RoutePath(text);
        const count = alone.split();
        const matchAlone = (one: PreparedRoute) => matchRoute(one, method ?? one.methods?.[0] ?? 'GET', alone, count);
        const missing = new Set(routes.filter((one) => 'values' in matchAlone(one)));
        let before = -1;
        for (let one = candidates.first(); one !== undefined; one = candidates.next()) {
          assert.ok(one.position > before, `${asked}: ${one.route.template.text} is out of order`);
          before = one.position;
          assert.ok(method === undefined || takesMethod(one, method), `${asked}: ${one.route.template.text}`);
          const result = matchAlone(one);
          const expected = 'values' in result ? { ...result.values } : undefined;
          const values = one.plain ? plainValues(one.captures, path) : matchValues(one, path, candidates.count);
          assert.deepEqual(values && { ...values }, expected, `${asked}: ${one.route.template.text}`);
          missing.delete(one);
          if (expected === undefined) rejected++;
          else matched++;
        }
        assert.deepEqual(
          [...missing].map((one) => one.route.template.text),
          [],
          asked,
        );
      }
    }
    t.diagnostic(`${matched} candidates matched, ${rejected} did not`);
    assert.ok(matched > 20_000 && rejected > 1_000);
  });
}

const ASKED = COLLECTIONS * QUESTIONS;
test(`4.3 – ${ASKED} questions to ${COLLECTIONS} collections → index, scan and explain agree`, (t) => {
  let matched = 0;
  for (let seed = 1; seed <= COLLECTIONS; seed++) {
    const random = randomNumbers(seed);
    const routes = randomRoutes(random);
    const collection = new RouteCollection().add(...routes.map(made));
    for (let question = 0; question < QUESTIONS; question++) {
      const path = randomPath(random, routes);
      const method = pick(random, METHODS);
      const found = collection.find(method, path);
      const judged = collection.scan(method, path);
      if (found !== undefined) matched++;
      if (!same(found, judged))
        assert.fail(`seed ${seed}, ${method} ${path}: ${told(found)}, the scan says ${told(judged)}`);
      if (question % 8 === 0) {
        const first = collection.explain(method, path).find((trial) => trial.accepted);
        assert.equal(first?.route, judged?.route);
        if (first?.accepted) assert.deepEqual({ ...first.values }, { ...judged!.values });
      }
    }
  }
  t.diagnostic(`${matched} of ${ASKED} matched`);
  assert.ok(matched > ASKED * 0.25);
});

function same(one: RouteMatch | undefined, other: RouteMatch | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.route !== other.route) return false;
  const names = Object.keys(one.values);
  return (
    names.length === Object.keys(other.values).length && names.every((name) => one.values[name] === other.values[name])
  );
}

const told = (match: RouteMatch | undefined): string =>
  match ? `${match.route.template.text} ${JSON.stringify(match.values)}` : 'none';

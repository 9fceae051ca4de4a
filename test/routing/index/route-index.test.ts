/** The index against the ordered scan and `explain`, which judge alone, on random collections: what it leaves out changes no answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouteMatch } from '../../../src/routing/route/route.ts';
import { route } from '../../../src/routing/route/route.ts';
import { RouteCollection } from '../../../src/routing/route-collection.ts';
import { pick, randomNumbers, randomPath, randomRoute } from '../random-routes.ts';

const COLLECTIONS = 2_000,
  QUESTIONS = 105;
const unanswered = (): never => {
  throw new Error('not asked');
};

test(`4.3 – ${COLLECTIONS * QUESTIONS} questions to ${COLLECTIONS} collections → index, scan and explain agree`, (t) => {
  let matched = 0;
  for (let seed = 1; seed <= COLLECTIONS; seed++) {
    const random = randomNumbers(seed);
    const routes = Array.from({ length: 1 + Math.floor(random() * random() * 24) }, () => randomRoute(random));
    const collection = new RouteCollection().add(
      ...routes.map(({ template, ...options }) => route(template as string, unanswered, options)),
    );
    for (let question = 0; question < QUESTIONS; question++) {
      const path = randomPath(random, routes),
        method = pick(random, ['GET', 'GET', 'POST', 'head', 'PUT', 'OPTIONS']);
      const found = collection.find(method, path),
        judged = collection.scan(method, path);
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
  t.diagnostic(`${matched} of ${COLLECTIONS * QUESTIONS} matched`);
  assert.ok(matched > COLLECTIONS * QUESTIONS * 0.25);
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

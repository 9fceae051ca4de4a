/** Tells what each route answered to a request, as plain data. No constraint is asked for it. */
import { attempt } from '../../../extending.ts';
import type { Route } from '../../../index.ts';
import { methodsText, type RouteCollection, type RouteTrial, trialText } from '../../../routing.ts';
import type { RouteVerdict } from '../views/station.ts';

/** The answers of those that were tried, and why the others were not. An empty list for a path that has no meaning. */
export function routeVerdicts(
  routes: RouteCollection,
  method: string,
  path: string,
  tried: readonly RouteTrial[],
): readonly RouteVerdict[] {
  const proposed = attempt(() => new Set(routes.proposed(method, path)), new Set<Route>());
  return attempt(() => routes.explain(method, path, tried), []).map((trial) => {
    const facts = { ...routeFacts(trial.route), proposed: proposed.has(trial.route) };
    if ('untried' in trial) return { ...facts, verdict: 'untried', text: trial.reason };
    return { ...facts, verdict: trial.accepted ? 'taken' : 'rejected', text: trialText(trial) };
  });
}

/** Methods, template and name of a route. */
export function routeFacts(route: Route): Pick<RouteVerdict, 'methods' | 'template' | 'name'> {
  const { template, name } = route;
  return { methods: methodsText(route), template: template.text || '/', ...(name && { name }) };
}

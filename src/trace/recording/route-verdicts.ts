/** Tells why each route did or did not take a request, as plain data. */

import { attempt } from '../../log/thrown-value.ts';

import type { Route } from '../../routing/route/route.ts';
import type { RouteCollection } from '../../routing/route-collection.ts';
import { methodsText, trialText } from '../../routing/trial-text.ts';
import type { Finished } from '../views/station.ts';

/** What one route answers. */
export interface RouteVerdict {
  readonly methods: string;
  readonly template: string;
  readonly name?: string;
  /** Does the index propose it? No other is tried for the request; that they would not match is told all the same. */
  readonly proposed: boolean;
  /** `taken`: the first that matches. `later`: it would match, but comes after the one that answers. */
  readonly verdict: 'taken' | 'later' | 'rejected';
  /** Its values as JSON, or why it was not taken. */
  readonly text: string;
}

/**
 * What all routes answered to a recorded request. Where they were not asked, what they would have answered to the
 * request as the innermost stage had it. An empty list for one that was refused before the stages.
 */
export function verdictsOf(routes: RouteCollection, recording: Finished | undefined): readonly RouteVerdict[] {
  if (recording?.asked === undefined) return [];
  const { method, path } = recording.asked;
  return recording.hide(routeVerdicts(routes, method, path));
}

/** What all routes answer, in their order. An empty list for a path that cannot be decoded. */
export function routeVerdicts(routes: RouteCollection, method: string, path: string): readonly RouteVerdict[] {
  const proposed = attempt(() => new Set(routes.proposed(method, path)), new Set<Route>());
  let isAnswered = false;
  return attempt(() => routes.explain(method, path), []).map((trial) => {
    const verdict = !trial.accepted ? 'rejected' : isAnswered ? 'later' : 'taken';
    // A later route that would answer with a status does not come to it.
    const isMoot = 'status' in trial && isAnswered;
    const text = verdict === 'later' ? LATER : isMoot ? trial.reason : trialText(trial);
    isAnswered ||= trial.accepted || 'status' in trial;
    return { ...routeFacts(trial.route), proposed: proposed.has(trial.route), verdict, text };
  });
}

/** Why a route that matches is not taken. */
const LATER = 'would match too, but an earlier route is taken';

/** Methods, template and name of a route. */
export function routeFacts(route: Route): Pick<RouteVerdict, 'methods' | 'template' | 'name'> {
  const { template, name } = route;
  return { methods: methodsText(route), template: template.text || '/', ...(name && { name }) };
}

/** Says why a route has no path for a link. */
import { linkTexts } from './link-route.ts';
import type { LinkOrigin, LinkValues, RouteLinks } from './route.ts';
import { RouteCollection } from './route-collection.ts';

/** The error of a link that could not be made. `attempt` is `the Location of "ApiTodoPost"` for example. */
export function linkFailure(attempt: string, values: LinkValues, from: LinkOrigin, links: RouteLinks): Error {
  const [trial] = links instanceof RouteCollection ? links.explainLink(values, from) : [];
  const name = from.name ?? from.route?.name ?? from.route?.template.text ?? '';
  const why = trial?.accepted === false ? `: ${trial.reason}; give what "${trial.route.template.text}" takes` : '';
  return failure(attempt, values, `the route "${name}" has no path for these values${why}`);
}

/** The same for a cause that is known. */
export function failure(attempt: string, values: LinkValues, cause: string): Error {
  const texts = [...linkTexts(values).values()].map(({ name, text }) => [name, text]);
  return new Error(`Cannot make ${attempt} for ${JSON.stringify(Object.fromEntries(texts))}: ${cause}`);
}

/** What is wrong with the name of a route that these routes do not have; undefined for one that they have. */
export const missingRoute = (name: string, scopes: readonly string[] | undefined, routes: RouteCollection) =>
  routes.explainLink({}, { name, scopes }).length > 0
    ? undefined
    : `there is no route named "${name}"; give the name of one, or an operation of this plugin`;

/** Refers to operations: the targets of links and of Location headers. */
import { failure, linkFailure, missingRoute } from '../../routing/link-failure.ts';
import type { LinkOrigin, LinkValues, Route, RouteLinks } from '../../routing/route.ts';
import { RouteCollection } from '../../routing/route-collection.ts';
import { sameText } from '../../routing/text.ts';

/** An operation, as far as a link refers to it. */
export interface OperationReference {
  readonly method: string;
  readonly path: string;
}

/** Tells an operation from route values, none of which is a function. */
export const isOperation = (to: object): to is OperationReference =>
  typeof (to as { readonly handle?: unknown }).handle === 'function';

/** The target of a link. Throws a `TypeError` for a function that does not return an operation. */
export function linked(to: string | OperationReference | (() => unknown)): string | OperationReference {
  if (typeof to !== 'function') return to;
  const given = to();
  if (typeof given === 'object' && given !== null && isOperation(given)) return given;
  throw new TypeError(`Cannot link to what the function returned: it is no operation; give () => operation`);
}

/** The route names of operations: first those of the same controller, then those of other controllers of the plugin. */
export class OperationNames {
  readonly #own = new Map<OperationReference, string>();
  readonly #plugin: Map<OperationReference, string>;

  /** `plugin` is shared by the controllers of one plugin. */
  constructor(plugin: Map<OperationReference, string>) {
    this.#plugin = plugin;
  }

  set(operation: OperationReference, name: string): void {
    this.#own.set(operation, name);
    if (!this.#plugin.has(operation)) this.#plugin.set(operation, name);
  }

  get(operation: OperationReference): string | undefined {
    return this.#own.get(operation) ?? this.#plugin.get(operation);
  }
}

/** The name of the route that a link leads to; undefined for an operation of another plugin. */
export const routeNameOf = (to: string | OperationReference, names: OperationNames): string | undefined =>
  typeof to === 'string' ? to : names.get(to);

/** Is it the name of this route, as it is or behind a prefix under which it is mounted? */
export const isNameOf = (name: string, { name: own = '', linkScopes = [] }: Route): boolean =>
  ['', ...linkScopes].some((scope) => sameText(scope + name, own));

/** The error of a link or a Location to this target that has no path. `attempt` names it and its operation. */
export function failureTo(
  attempt: string,
  to: string | OperationReference,
  names: OperationNames,
  values: LinkValues,
  from: LinkOrigin,
  links: RouteLinks,
): Error {
  const name = routeNameOf(to, names);
  if (name === undefined)
    return failure(attempt, values, 'its operation is none of the same plugin; name its route by its operationId');
  const missing = links instanceof RouteCollection ? missingRoute(name, from.scopes, links) : undefined;
  return missing === undefined
    ? linkFailure(attempt, values, { ...from, name }, links)
    : failure(attempt, values, missing);
}

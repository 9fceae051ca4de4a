/** Refuses what is no declaration of a route. It may come from JavaScript that no compiler has checked. */

/** Throws a `TypeError` that says what is wrong and what to give. */
export function assertDeclaration(declaration: unknown): void {
  const fault = faultOf(declaration);
  if (fault === undefined) return;
  const path = isObject(declaration) ? declaration['path'] : declaration;
  const subject = typeof path === 'string' ? `the route ${JSON.stringify(path)}` : `a route of ${textOf(declaration)}`;
  throw new TypeError(`Cannot make ${subject}: ${fault}`);
}

function faultOf(declaration: unknown): string | undefined {
  if (!isObject(declaration)) return 'it is no declaration; give route({ path, handle })';
  const { path, handle, method } = declaration;
  if (typeof path !== 'string') return 'it has no path; give route({ path, handle }), the path is a text';
  if (typeof handle !== 'function') return 'it has no handler; give route({ path, handle }), handle is a function';
  if ('methods' in declaration) return 'its "methods" means nothing; give one method or a list of them as "method"';
  return method === undefined || isText(method) || (Array.isArray(method) && method.every(isText))
    ? undefined
    : 'its method is no text; give "GET", or a list of such texts, or leave it out for any method';
}

/** Throws a `TypeError` for a value that `route` or `routesOf` did not make, a bare declaration for example. */
export function assertRoute(value: unknown): void {
  if (isObject(value) && isObject(value['template']) && typeof value['handle'] === 'function') return;
  const subject = isObject(value) && isText(value['path']) ? JSON.stringify(value['path']) : textOf(value);
  throw new TypeError(`Cannot add ${subject}: it is no route; make one with route({ path, handle })`);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isText = (value: unknown): boolean => typeof value === 'string';

/** The value, quoted, at most as long as one line shows. */
const textOf = (value: unknown): string =>
  `"${isObject(value) ? `{ ${Object.keys(value).join(', ')} }` : String(value)}"`.slice(0, 100);

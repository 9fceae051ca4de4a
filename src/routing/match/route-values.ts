/**
 * Makes the object that holds route values. It inherits nothing: a parameter may be named `constructor` (D34).
 *
 * Its prototype is an empty frozen object without a prototype, as in `node:querystring`. Measured:
 * `Object.create(null)` makes a hash table and takes 258 ns for a match instead of 145 ns.
 */
class RouteValues {
  [name: string]: string;
}
Object.setPrototypeOf(RouteValues.prototype, null);
delete (RouteValues.prototype as { constructor?: unknown }).constructor;
Object.freeze(RouteValues.prototype);

export const newValues = (): Record<string, string> => new RouteValues();

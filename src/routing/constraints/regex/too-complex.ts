/** Says that an expression has too many states or transitions to be analysed while a route is added. */
export class TooComplex extends Error {}

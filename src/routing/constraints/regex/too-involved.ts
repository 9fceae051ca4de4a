/** Says that an expression has too many positions, or too many ways between them, to be looked at while a route is added. */
export class TooInvolved extends Error {}

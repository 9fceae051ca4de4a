/**
 * Names → constraints: the known seventeen and those that a collection was given, looked up ignoring case.
 *
 * `length(4,16)` is the name `length` with two arguments; `regex(a,b)` is one argument, because `regex` takes no more than one.
 */

import { foldCase } from '../text/fold-case.ts';
import { CONSTRAINTS } from './built-in-constraints.ts';
import type { ConstraintFactory, RouteConstraint } from './constraint.ts';

/** The constraints that routes of one collection can name. */
export class ConstraintTable {
  readonly #factories = new Map<string, ConstraintFactory>();
  // Inline constraints keep nothing of the value they have judged, so one serves every route that writes it the same way.
  readonly #made = new Map<string, RouteConstraint>();

  constructor(own: Readonly<Record<string, ConstraintFactory>> = {}) {
    for (const [name, factory] of [...Object.entries(CONSTRAINTS), ...Object.entries(own)])
      this.#factories.set(foldCase(name), factory);
  }

  /** The known names, in order. */
  get names(): readonly string[] {
    return [...this.#factories.keys()].sort();
  }

  /** Does this text name a known constraint, with arguments or without (D23)? */
  knows(text: string): boolean {
    return this.#factories.has(foldCase(parse(text).name));
  }

  /** The constraint that a text asks for. Throws a `SyntaxError` for an unknown name, and what the maker throws for wrong arguments. */
  make(text: string): RouteConstraint {
    let constraint = this.#made.get(text);
    if (constraint === undefined) this.#made.set(text, (constraint = this.#make(text)));
    return constraint;
  }

  #make(text: string): RouteConstraint {
    const { name, argument } = parse(text);
    const factory = this.#factories.get(foldCase(name));
    if (factory === undefined) throw new SyntaxError(`there is no constraint "${name}"`);
    const [least, most] = factory.takes;
    const args =
      argument === undefined ? [] : most === 1 ? [argument] : argument.split(',').map((piece) => piece.trim());
    if (args.length < least || args.length > most) {
      const wanted = least === most ? least : `${least} to ${most}`;
      throw new SyntaxError(
        `the constraint "${name}" takes ${wanted} argument${most === 1 ? '' : 's'}, not ${args.length}`,
      );
    }
    return factory.make(...args);
  }
}

/** A.4.1: text with `(` that ends in `)` is a name and an argument; any other text is a name. */
function parse(text: string): { name: string; argument?: string } {
  const open = text.indexOf('(');
  return open >= 0 && text.endsWith(')')
    ? { name: text.slice(0, open), argument: text.slice(open + 1, -1) }
    : { name: text };
}

/**
 * Finds the constraint that a text names: a built-in one or one given to the collection.
 *
 * `length(4,16)` is the name `length` with two arguments. `regex(a,b)` has one, because `regex` takes at most one. A
 * predicate takes none.
 */
import { foldCase } from '../text/fold-case.ts';
import { CONSTRAINTS } from './built-in-constraints.ts';
import {
  type ConstraintFactory,
  type ConstraintPredicate,
  pure,
  type RouteConstraint,
  withoutArguments,
} from './constraint.ts';

/** The constraints that the routes of one collection can name. Names are compared ignoring case. */
export class ConstraintTable {
  readonly #factories = new Map<string, ConstraintFactory>();
  // A constraint keeps no state between values, so routes that write the same text share it.
  readonly #made = new Map<string, RouteConstraint>();

  constructor(own: Readonly<Record<string, ConstraintFactory | ConstraintPredicate>> = {}) {
    for (const [name, given] of [...Object.entries(CONSTRAINTS), ...Object.entries(own)])
      this.#factories.set(foldCase(name), typeof given === 'function' ? withoutArguments(name, given) : given);
  }

  /** The known names, sorted. */
  get names(): readonly string[] {
    return [...this.#factories.keys()].sort();
  }

  /** Does this text name a known constraint, with or without arguments (D23)? */
  knows(text: string): boolean {
    return this.#factories.has(foldCase(parse(text)[0]));
  }

  /** The constraint that a text names. Throws a `SyntaxError` for an unknown name, or what its factory throws. */
  make(text: string): RouteConstraint {
    if (!this.#made.has(text)) this.#made.set(text, this.#make(text));
    return this.#made.get(text)!;
  }

  #make(text: string): RouteConstraint {
    const [name, argument] = parse(text);
    const factory = this.#factories.get(foldCase(name));
    if (factory === undefined) throw new SyntaxError(`there is no constraint "${name}"`);
    const [min, max] = factory.takes;
    const args =
      argument === undefined ? [] : max === 1 ? [argument] : argument.split(',').map((piece) => piece.trim());
    if (args.length < min || args.length > max) {
      const wanted = `${min === max ? min : `${min} to ${max}`} argument${max === 1 ? '' : 's'}`;
      throw new SyntaxError(`the constraint "${name}" takes ${wanted}, not ${args.length}`);
    }
    const made = factory.make(...args);
    return factory === CONSTRAINTS[foldCase(name)] ? pure(made) : made;
  }
}

/** Splits a text that has a `(` and ends in `)` into name and argument (A.4.1). Any other text is a name. */
function parse(text: string): [name: string, argument?: string] {
  const open = text.indexOf('(');
  return open >= 0 && text.endsWith(')') ? [text.slice(0, open), text.slice(open + 1, -1)] : [text];
}

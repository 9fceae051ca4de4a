/** A controller: a name, a path, and the operations below that path in the order of their routes. */
import type { AnyOperation } from './operation.ts';

/** Operations that share a path and a tag in the description. */
export interface Controller {
  /** The tag in the description, `Todo` for example. */
  readonly name: string;
  /** The template in front of every operation's, `api/todo` for example (§4.1 rule 7). */
  readonly path: string;
  readonly operations: readonly AnyOperation[];
}

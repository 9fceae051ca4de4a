/** Declares a node of the tree in `route-index.ts`: what a path can become after the segments that lead to the node. */
import type { PreparedRoute } from '../route/prepared-route.ts';
import { RouteChain } from './route-chain.ts';

export class Node {
  readonly number: number;
  literals = 0;
  // The first literal child. Most nodes have no other, and do without the literal table.
  first: Node | undefined = undefined;
  // Where its folded text is in the codes of the literal table, and the hash of that text.
  firstStart = 0;
  firstLength = 0;
  firstHash = 0;
  /** The child for every segment of a template that is not one literal. */
  wildcard: Node | undefined = undefined;
  /** Routes that can end here. A route with optional or default segments ends at several nodes. */
  routes: RouteChain | undefined = undefined;
  /** Routes whose catch-all begins here. */
  catchAlls: RouteChain | undefined = undefined;

  constructor(number: number) {
    this.number = number;
  }

  addRoute(prepared: PreparedRoute): void {
    if (this.routes === undefined) this.routes = new RouteChain(prepared);
    else this.routes.append(prepared);
  }

  addCatchAll(prepared: PreparedRoute): void {
    if (this.catchAlls === undefined) this.catchAlls = new RouteChain(prepared);
    else this.catchAlls.append(prepared);
  }
}

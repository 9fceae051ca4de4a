/** The places of the tree in `route-index.ts`. */
import type { PreparedRoute } from '../route/prepare-route.ts';
import { RouteChain } from './route-chain.ts';

/** A place in the tree: what a path up to here can still become. */
export class Place {
  readonly number: number;
  literals = 0;
  // The first literal child: at most places there is no other, and no need to go to the table.
  first: Place | undefined = undefined;
  // Its folded text, in the codes of the table.
  firstFrom = 0;
  firstLength = 0;
  firstHash = 0;
  /** Behind any segment that is not a plain literal. */
  other: Place | undefined = undefined;
  /** Routes that may end here; one with optional or defaulted tails ends at several places. */
  ends: RouteChain | undefined = undefined;
  /** Routes whose catch-all begins here. */
  rests: RouteChain | undefined = undefined;

  constructor(number: number) {
    this.number = number;
  }

  /** Notes a route that may end here. */
  end(prepared: PreparedRoute): void {
    if (this.ends === undefined) this.ends = new RouteChain(prepared);
    else this.ends.add(prepared);
  }

  /** Notes a route whose catch-all begins here. */
  rest(prepared: PreparedRoute): void {
    if (this.rests === undefined) this.rests = new RouteChain(prepared);
    else this.rests.add(prepared);
  }
}

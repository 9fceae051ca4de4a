/** Signals the start of a stop to endless replies (D77). Every open stream may listen, so listeners are unlimited. */
import { setMaxListeners } from 'node:events';

export class StopController extends AbortController {
  /**
   * If true, each reply closes its connection, except a reply after which pipelined requests wait. Running streams
   * continue until `abort` (D111).
   */
  isDraining = false;

  constructor() {
    super();
    setMaxListeners(0, this.signal);
  }

  override abort(): void {
    this.isDraining = true;
    super.abort(new Error('The service is stopping'));
  }
}

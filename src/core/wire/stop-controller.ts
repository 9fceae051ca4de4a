/** Tells replies that may never end that a stop begins (D77). Every open stream may listen to its signal. */
import { setMaxListeners } from 'node:events';

export class StopController extends AbortController {
  /** From now on the connection of each reply ends with it; what runs goes on until `abort`. */
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

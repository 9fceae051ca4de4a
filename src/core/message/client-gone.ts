/** The error of a request whose client closed the connection: no reply is made for it. */
import { hasMember } from '../log/thrown-value.ts';

const BRAND: unique symbol = Symbol.for('todo-item-service ClientGone');

/** Rejects the promise of a body that will not be complete because its client disconnected. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection before its request was complete');
    this.name = 'ClientGone';
  }

  get [BRAND](): true {
    return true;
  }

  /** True as well for the error of another copy of this library, which a plugin may have been bundled with. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasMember(value, BRAND);
  }
}

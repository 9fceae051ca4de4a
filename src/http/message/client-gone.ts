import { hasMember } from '../../log/thrown-value.ts';

const BRAND: unique symbol = Symbol.for('todo-item-service ClientGone');

/** Ends a request whose client has gone: there is nobody left to answer. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection before its request was complete');
    this.name = 'ClientGone';
  }

  get [BRAND](): true {
    return true;
  }

  /** Also true of one that another copy of this library made, see `HttpProblem`: an access log may be from one, the server from another. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasMember(value, BRAND);
  }
}

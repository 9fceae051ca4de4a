/** Ends a request whose client has gone: there is nobody left to answer. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection before its request was complete');
    this.name = 'ClientGone';
  }
}

/**
 * Gives the handler of an operation the time that the operation declares, in place of the limit of the server (D48).
 */
import { Context } from '../../http/message/context.ts';
import type { RouteHandler } from '../../routing/route/route.ts';
import type { Operation } from '../operation/operation.ts';

/** The handler with its time limit. Throws a `RangeError` for a `handlerTimeout` that is no number above 0. */
export function withHandlerTimeout(handler: RouteHandler, operation: Operation): RouteHandler {
  const { handlerTimeout, method, path } = operation;
  if (handlerTimeout === undefined) return handler;
  if (typeof handlerTimeout !== 'number' || !(handlerTimeout > 0)) {
    throw new RangeError(
      `Cannot give the operation "${method} ${path}" ${handlerTimeout} ms to answer: it is no time; give more than 0`,
    );
  }
  return (context, match, routes) => {
    const state = Context.stateOf(context);
    if (state !== undefined) state.timeLimit = handlerTimeout;
    return handler(context, match, routes);
  };
}

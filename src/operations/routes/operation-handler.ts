/**
 * Answers a request to an operation in three steps: reads the declared parameters and body, calls the handler, and
 * serializes its result as a reply. A step waits only if the step before it returns a promise.
 */
import { HttpProblem } from '../../core/http/problem.ts';
import type { Reply } from '../../core/http/reply.ts';
import type { RouteHandler, RouteInput } from '../../core/routing/route.ts';
import type { RouteTemplate } from '../../core/routing/template.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { OperationInput } from '../operation/operation-input.ts';
import type { ReadParameters } from '../parameters/parameter.ts';
import { typedValues } from '../parameters/path-parameter.ts';
import { bodyReader } from './json-body.ts';
import { parameterReader } from './read-parameters.ts';
import { replyWriter } from './to-reply.ts';

/** Returns the handler of the route. `handle` is the handler of the operation inside its instruments. */
export function operationHandler(
  routed: RoutedOperation,
  template: RouteTemplate,
  handle: AnyOperation['handle'],
): RouteHandler {
  const { body: declared } = routed.operation;
  const readParameters = parameterReader(routed, template);
  const typed = typedValues(template);
  const write = replyWriter(routed);
  const answer = (input: RouteInput, read?: ReadParameters, body?: unknown): Reply | Promise<Reply> => {
    const returned = handle(new OperationInput(input, routed.nameOf, read, typed, body));
    return returned instanceof Promise ? returned.then((result) => write(result, input)) : write(returned, input);
  };
  if (declared === undefined) return (input) => answer(input, readParameters?.(input));
  const readBody = bodyReader(declared, routed.naming);
  const replacesAll = routed.operation.method === 'PUT';
  return (input) => {
    if (replacesAll && input.context.headers['content-range'] !== undefined)
      throw new HttpProblem(400, 'PUT replaces the whole resource (RFC 9110 §14.5); send it without Content-Range');
    const read = readParameters?.(input);
    return readBody(input.context).then((body) => answer(input, read, body));
  };
}

/** Refuses, when routes are made, what an operation declares and the library does not speak (D68, D70, D79). */

import { isObject } from '../../log/thrown-value.ts';
import { quoted } from '../../options/assert-options.ts';
import type { RouteTemplate } from '../../routing/template.ts';
import { assertResponses, assertSharedResponses, unknownMember } from '../media-types/assert-responses.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { isOperationId } from '../operation/operation-id.ts';
import { isOwnBody, type OwnBody, ownBody } from '../operation/own-body.ts';
import { assertParameter, type ParameterDeclaration } from '../parameters/parameter.ts';
import { pathSchema } from '../parameters/path-parameter.ts';
import { assertSchema } from '../schema/assert-schema.ts';
import type { Schema } from '../schema/schema.ts';

type Declared = Readonly<Record<string, string | ParameterDeclaration>>;

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const MEMBERS = (
  'method path id summary remarks parameters query strictQuery headers produces writers body bodyParameter ' +
  'security public stages problems deprecated responses handlerTimeout handle'
).split(' ');

/** Throws a `TypeError` that names the operation, the place and the remedy. */
export function assertDeclaration({ controller, operation, id }: RoutedOperation, template: RouteTemplate): void {
  const fault = operationFault(operation);
  if (fault !== undefined) throw new TypeError(`Cannot declare the operation "${id}": ${fault}`);
  const { body, query = {}, headers = {}, parameters = {} } = operation;
  if (body !== undefined) assertBody(body, id);
  assertResponses(operation, id);
  if (controller.responses !== undefined)
    assertSharedResponses(controller.responses, `the controller "${controller.name}"`);
  for (const [place, declared] of [
    ['path', parameters],
    ['query', query],
    ['header', headers],
  ] as const)
    for (const [name, parameter] of Object.entries(declared as Declared))
      if (typeof parameter !== 'string' || place !== 'path')
        assertParameter(
          name,
          parameter as ParameterDeclaration,
          place,
          `the ${place} parameter "${name}" of the operation "${id}"`,
          place === 'path' && !template.parameters.some((one) => one.name === name && one.catchAll),
        );
  for (const [name, parameter] of Object.entries(parameters as Declared)) {
    const pathFault = faultOfPath(name, parameter, template);
    if (pathFault !== undefined)
      throw new TypeError(`Cannot declare the path parameter "${name}" of the operation "${id}": ${pathFault}`);
  }
}

/** Throws a `TypeError` that names what is wrong with a body, and the remedy. `id` is that of the operation. */
export function assertBody(body: Schema | OwnBody, id: string): void {
  if (isOwnBody(body)) body[ownBody].assert(body, id);
  else assertSchema(body, `the body of the operation "${id}"`);
}

function operationFault(operation: AnyOperation): string | undefined {
  if (!METHODS.includes(operation.method))
    return `its method is ${JSON.stringify(operation.method)}; give one of ${METHODS.join(', ')}`;
  if (operation.id !== undefined && !isOperationId(operation.id))
    return `its id is ${quoted(operation.id)}; use letters, digits, ".", "_" and "-" only, or leave it out`;
  if (operation.public !== undefined && typeof operation.public !== 'boolean')
    return `its public is ${quoted(operation.public)}; give true, or leave it out`;
  if (operation.public === true && operation.security !== undefined)
    return 'it is public and has security; leave one of them out';
  if (typeof operation.handle !== 'function') return 'it has no handler; give handle, a function';
  if (!isObject(operation.responses)) return 'it has no responses; give { 204: {} } or others';
  for (const name of ['query', 'headers', 'parameters', 'writers'] as const)
    if (operation[name] !== undefined && (!isObject(operation[name]) || Array.isArray(operation[name])))
      return `its ${name} is no object; give { … } with a member for each`;
  const { strictQuery } = operation;
  if (strictQuery !== undefined && typeof strictQuery !== 'boolean')
    return `its strictQuery is ${JSON.stringify(strictQuery)}; give true or false`;
  return unknownMember(operation, MEMBERS);
}

/** A value that a constraint of the route lets through has to have the declared type. */
function faultOfPath(
  name: string,
  declared: string | ParameterDeclaration,
  { parameters }: RouteTemplate,
): string | undefined {
  const parameter = parameters.find((one) => one.name === name);
  if (parameter === undefined) return `its path has ${parameters.map((one) => one.name).join(', ') || 'none'}`;
  if (typeof declared === 'string') return undefined;
  const { type } = pathSchema(parameter);
  const isNumeric = type === 'integer' || type === 'number';
  const fits =
    type === 'string' || [type, 'string', ...(isNumeric ? ['integer', 'number'] : [])].includes(declared.type);
  return fits ? undefined : `it is of type ${declared.type}, but the route has only values of type ${type}`;
}

/** Checks the declarations of operations and controllers when the application is composed (D68, D70, D79). */
import { ADDED, ANY, each, FLAG, FUNCTION, OBJECT, type Shape, shapeFault, TEXT } from '../../core/options/shape.ts';
import type { IncompleteRoute } from '../../core/routing/composition.ts';
import type { Parameter as RouteParameter, RouteTemplate } from '../../core/routing/template.ts';
import { assertResponses } from '../media-types/assert-responses.ts';
import type { Controller, RoutedOperation } from '../operation/controller.ts';
import type { AnyOperation, Operation } from '../operation/operation.ts';
import { isOwnBody, type OwnBody, ownBody } from '../operation/own-body.ts';
import {
  assertParameter,
  type ParameterDeclaration,
  type ParameterPlace,
  type PathParameters,
} from '../parameters/parameter.ts';
import { pathSchema } from '../parameters/path-parameter.ts';
import { assertSchema } from '../schema/assert-schema.ts';
import { CLIENT_NAME } from '../schema/names.ts';
import type { Schema } from '../schema/schema.ts';

const METHODS: readonly unknown[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const OPERATION: Shape<Operation & Pick<IncompleteRoute, 'template' | 'complete'>> = {
  method: [`one of ${METHODS.join(', ')}`, (value) => METHODS.includes(value)],
  id: [
    'a letter, then letters, digits, ".", "_" and "-" only, or leave it out',
    (id) => typeof id === 'string' && CLIENT_NAME.test(id),
  ],
  handle: FUNCTION,
  produces: ['a list of media types', Array.isArray],
  ...each(TEXT, 'path', 'summary', 'remarks'),
  ...each(FLAG, 'public', 'strictQuery', 'deprecated'),
  ...each(OBJECT, 'parameters', 'query', 'headers', 'writers', 'responses', 'bodyParameter'),
  ...each(ANY, 'body', 'security', 'stages', 'handlerTimeout'),
  ...each(ADDED, 'template', 'complete'),
};

const CONTROLLER: Shape<Controller> = {
  ...each(TEXT, 'name', 'description', 'path'),
  operations: ['a list of operations', Array.isArray],
  ...each(ANY, 'security', 'stages'),
};

/** Throws a `TypeError` for an invalid controller. A misspelt `security` would leave its operations unprotected. */
export function assertController(controller: Controller): void {
  const fault = shapeFault(controller, CONTROLLER, ['name', 'path', 'operations']);
  const subject = typeof controller?.name === 'string' ? `the controller "${controller.name}"` : 'a controller';
  if (fault !== undefined) throw new TypeError(`Cannot make routes of ${subject}: ${fault}`);
  for (const [at, operation] of controller.operations.entries())
    assertOperation(operation, `operations[${at}] of ${subject}`);
}

/** Throws a `TypeError` for an invalid operation. In the message, method and path follow `subject`. */
export function assertOperation(operation: AnyOperation, subject = 'the operation'): void {
  const fault = shapeFault(operation, OPERATION, ['method', 'path', 'responses', 'handle']);
  const name = operation && `, "${[operation.method, operation.path].filter(Boolean).join(' ')}"`;
  if (fault !== undefined) throw new TypeError(`Cannot declare ${subject}${name ?? ''}: ${fault}`);
}

/** The members of a route that are not members of its declaration. */
const ROUTE_MEMBERS: readonly string[] = ['template', 'complete'];

/** Throws a `TypeError` for a copy with a changed member, such as `security`: composition would ignore the change. */
export function assertUnchanged(route: object, operation: AnyOperation): void {
  const changed = Object.entries(route).find(
    ([name, value]) => !ROUTE_MEMBERS.includes(name) && value !== operation[name as keyof AnyOperation],
  );
  if (changed === undefined) return;
  const [name] = changed;
  throw new TypeError(
    `Cannot declare "${operation.method} ${operation.path}": a copy of the operation has another "${name}"; declare the copy too, as operation({ ...copied, ${name} })`,
  );
}

/** Throws a `TypeError` with the operation, the place and the remedy for a wrong body, response or parameter. */
export function assertDeclaration({ operation, id }: RoutedOperation, template: RouteTemplate): void {
  if (operation.public === true && operation.security !== undefined)
    throw new TypeError(`Cannot declare the operation "${id}": it is public and has security; leave one of them out`);
  const { body, query = {}, headers = {}, parameters = {} } = operation;
  if (body !== undefined && operation.method === 'GET')
    throw new TypeError(
      `Cannot declare the operation "${id}": it is a GET with a body, which no browser can send; ` +
        'use parameters of the query, or POST',
    );
  if (body !== undefined) assertBody(body, id);
  assertResponses(operation, id);
  for (const [name, parameter] of Object.entries(parameters as PathParameters)) {
    const subject = `the path parameter "${name}" of the operation "${id}"`;
    const inPath = template.parameters.find((part) => part.name === name);
    if (typeof parameter !== 'string') assertParameter(name, parameter, 'path', subject);
    const fault = inPath === undefined ? `its path has ${namesIn(template)}` : typeFault(parameter, inPath);
    if (fault !== undefined) throw new TypeError(`Cannot declare ${subject}: ${fault}`);
  }
  for (const [place, declared] of Object.entries({ query, header: headers }))
    for (const [name, parameter] of Object.entries(declared))
      assertParameter(
        name,
        parameter,
        place as ParameterPlace,
        `the ${place} parameter "${name}" of the operation "${id}"`,
      );
}

/** Throws a `TypeError` with the cause and the remedy for an invalid body of the operation with this id. */
export function assertBody(body: Schema | OwnBody, id: string): void {
  if (isOwnBody(body)) body[ownBody].assert(body, id);
  else assertSchema(body, `the body of the operation "${id}"`);
}

const namesIn = ({ parameters }: RouteTemplate): string => parameters.map(({ name }) => name).join(', ') || 'none';

/** Returns an error if the declared type does not fit the type of the route's constraints. */
function typeFault(declared: string | ParameterDeclaration, inPath: RouteParameter): string | undefined {
  if (typeof declared === 'string') return undefined;
  const { type } = pathSchema(inPath);
  const isNumeric = type === 'integer' || type === 'number';
  const fits =
    type === 'string' || [type, 'string', ...(isNumeric ? ['integer', 'number'] : [])].includes(declared.type);
  return fits ? undefined : `it is of type ${declared.type}, but the route has only values of type ${type}`;
}

/** Refuses, when routes are made, what an operation declares and the library does not speak (D68, D70). */
import type { RouteTemplate } from '../../routing/template/template.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import { type ParameterDeclaration, type ParameterPlace, schemaOf } from '../operation/parameter.ts';
import { assertSchema } from '../schema/assert-schema.ts';
import { definitionName } from '../schema/declaration/schema.ts';

type Declared = Readonly<Record<string, string | ParameterDeclaration>>;

/** Throws a `TypeError` that names the operation, the place and the remedy. */
export function assertDeclaration({ operation, id }: RoutedOperation, template: RouteTemplate): void {
  const { body, responses, query = {}, headers = {}, parameters = {} } = operation;
  if (body !== undefined) assertSchema(body, `the body of the operation "${id}"`);
  for (const [status, { schema }] of Object.entries(responses))
    if (schema !== undefined) assertSchema(schema, `the ${status} of the operation "${id}"`);
  for (const [place, declared] of [
    ['path', parameters],
    ['query', query],
    ['header', headers],
  ] as const)
    for (const [name, parameter] of Object.entries(declared as Declared))
      if (typeof parameter !== 'string')
        assertParameter(parameter, place, `the ${place} parameter "${name}" of the operation "${id}"`);
  const known = template.parameters.map(({ name }) => name);
  const unknown = Object.keys(parameters).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TypeError(
      `Cannot declare the path parameter "${unknown}" of the operation "${id}": its path has ${known.join(', ') || 'none'}`,
    );
}

function assertParameter(parameter: ParameterDeclaration, place: ParameterPlace, subject: string): void {
  const schema = schemaOf(parameter);
  assertSchema(schema, subject);
  const scalar = schema.type === 'array' ? schema.items : schema;
  const isScalar = scalar === undefined || ['string', 'boolean', 'integer', 'number'].includes(scalar.type ?? '');
  const { collectionFormat } = parameter;
  if (
    !isScalar ||
    schema[definitionName] !== undefined ||
    schema['x-nullable'] ||
    scalar?.[definitionName] !== undefined
  )
    throw new TypeError(
      `Cannot use ${subject}: it is no scalar and no list of scalars; give { type: 'string' } or another`,
    );
  const formats = schema.type !== 'array' ? [] : place === 'query' ? ['multi', 'csv', 'ssv', 'pipes'] : ['csv'];
  if (collectionFormat !== undefined && !formats.includes(collectionFormat))
    throw new TypeError(
      `Cannot use ${subject}: it has the collectionFormat "${collectionFormat}"; ${formats.length === 0 ? 'only a list has one' : `give one of ${formats.join(', ')}`}`,
    );
}

/** Compiles `oneOf`: with a discriminator one schema is asked, without one all of them. */
import { branchesOf } from './declaration/discriminator.ts';
import type { Scalar, Schema } from './declaration/schema.ts';
import { propertyLookup, wireName } from './property-naming.ts';
import {
  type JsonObject,
  pointerTo,
  report,
  reportType,
  type Scope,
  sentNamesOf,
  type ValueValidator,
} from './validation.ts';

/** The validator of a schema with `oneOf`. */
export function choiceValidator(schema: Schema, oneOf: readonly Schema[], scope: Scope): ValueValidator {
  const isNullable = schema['x-nullable'] === true;
  const validators = new Map(oneOf.map((branch) => [branch, scope.compile(branch, scope)]));
  const choose =
    schema.discriminator === undefined
      ? exclusiveChoice([...validators.values()])
      : discriminatedChoice(schema, schema.discriminator.propertyName, validators, scope);
  return (value, parent, member, validation) =>
    value === null && isNullable ? null : choose(value, parent, member, validation);
}

/** Tries every schema of a `oneOf`. */
function exclusiveChoice(validators: readonly ValueValidator[]): ValueValidator {
  return (value, parent, member, validation) => {
    let result: unknown;
    let matching = 0;
    const { errors } = validation;
    for (const validate of validators) {
      validation.errors = [];
      const candidate = validate(value, parent, member, validation);
      if (validation.errors.length > 0) continue;
      matching += 1;
      result = candidate;
    }
    validation.errors = errors;
    if (matching === 1) return result;
    const detail = `Expected a value of exactly one of ${validators.length} schemas; this one has ${matching}`;
    return report(pointerTo(parent, member), detail, validation);
  };
}

function discriminatedChoice(
  schema: Schema,
  property: string,
  validators: ReadonlyMap<Schema, ValueValidator>,
  { naming }: Scope,
): ValueValidator {
  const branches = new Map(Array.from(branchesOf(schema), ([value, branch]) => [value, validators.get(branch)!]));
  const allowed = Array.from(branches.keys(), (value) => JSON.stringify(value)).join(', ');
  const name = wireName(property, naming);
  const lookUp = propertyLookup([name]);
  return (value, parent, member, validation) => {
    const pointer = pointerTo(parent, member);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return reportType({ type: 'object' }, value, pointer, validation);
    const sent = sentNamesOf(value as JsonObject, [undefined], lookUp, validation)[0];
    const choice = sent === undefined ? undefined : branches.get((value as JsonObject)[sent] as Scalar);
    if (choice !== undefined) return choice(value, parent, member, validation);
    return report(pointerTo(pointer, sent ?? name), `Expected one of ${allowed}`, validation);
  };
}

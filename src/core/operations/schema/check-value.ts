/** Checks values that are sent, examples and defaults against a schema (D14). */
import type { Violation } from '../../message/problem.ts';
import { type Judge, type Judging, judges, report } from './judge.ts';
import { type PropertyNaming, pointerTo, wireName } from './names.ts';
import type { Schema } from './schema.ts';
import { compiled, type NamedSchemas } from './walk.ts';

/**
 * Returns every difference of a value that is sent, each with its place. This is stricter than the
 * validation of a body: names are compared exactly, and a member that is not described, or is `writeOnly`, is a
 * difference.
 */
export function checkValue(value: unknown, schema: Schema, naming: PropertyNaming): Violation[] {
  const known = CHECKS[naming];
  let check = known.get(schema);
  if (check === undefined) known.set(schema, (check = checkOf(schema, { naming })));
  return differences(value, check);
}

/** To judge the cost of a `pattern` takes longer than to use it. */
const CHECKS: Readonly<Record<PropertyNaming, WeakMap<Schema, Judge<Judging>>>> = {
  camelCase: new WeakMap(),
  PascalCase: new WeakMap(),
};

/** Does the same for a default or an example, which may have what is `writeOnly`. */
export const checkExample = (value: unknown, schema: Schema, named: NamedSchemas): Violation[] =>
  differences(value, checkOf(schema, { naming: 'camelCase', allowsWriteOnly: true }, named));

function differences(value: unknown, check: Judge<Judging>): Violation[] {
  const state = newState();
  check(value, '', undefined, state);
  return state.errors;
}

/**
 * Of one value that is sent. Its expressions have an allowance of their own: what is sent does not depend on what the
 * request has spent (D37).
 */
export const newState = (): Judging => ({ spending: { spentSteps: 0 }, errors: [], depth: 0, known: new Map() });

interface Strictness {
  readonly naming: PropertyNaming;
  /** Whether a member may be there that is not described or `writeOnly`. */
  readonly isOpen?: boolean;
  readonly allowsWriteOnly?: boolean;
}

/** Compiles the check of a value. `named` are the named schemas around it. */
export const checkOf = (schema: Schema, strictness: Strictness, named?: NamedSchemas): Judge<Judging> =>
  compiled(
    schema,
    judges<Judging>({
      naming: strictness.naming,
      wrong: (expected) => `is not ${expected}`,
      nameFinder: (name) => (object) => (Object.hasOwn(object, name) ? name : undefined),
      members: (one, part) => membersCheck(one, strictness, part),
    }),
    named,
  );

function membersCheck(
  { properties = {}, required = [], additionalProperties }: Schema,
  { naming, isOpen = false, allowsWriteOnly = isOpen }: Strictness,
  part: (schema: Schema) => Judge<Judging>,
) {
  const described = new Map(
    Object.entries(properties).map(([name, schema]) => {
      const isRequired = required.includes(name) && !schema.writeOnly;
      return [
        wireName(name, naming),
        { check: part(schema), isRequired, isHidden: schema.writeOnly && !allowsWriteOnly },
      ];
    }),
  );
  const undescribed: Judge<Judging> = (_, parent, member, state) =>
    report(pointerTo(parent, member), 'is not described', state);
  const checkFurther =
    typeof additionalProperties === 'object'
      ? part(additionalProperties)
      : isOpen && additionalProperties === undefined
        ? undefined
        : undescribed;
  return (
    object: Readonly<Record<string, unknown>>,
    parent: string,
    member: string | undefined,
    state: Judging,
  ): void => {
    const pointer = pointerTo(parent, member);
    for (const [name, { check, isRequired, isHidden }] of described) {
      if (Object.hasOwn(object, name)) {
        if (isHidden) report(pointerTo(pointer, name), 'is never sent: it is writeOnly', state);
        check(object[name], pointer, name, state);
      } else if (isRequired) report(pointerTo(pointer, name), 'is required and missing', state);
    }
    if (checkFurther === undefined) return;
    for (const name of Object.keys(object)) if (!described.has(name)) checkFurther(object[name], pointer, name, state);
  };
}

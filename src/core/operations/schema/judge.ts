/**
 * Judges values by a schema: what bodies that are read and values that are sent have in common, and the check of what
 * is sent, of examples and of defaults (D14).
 */
import type { Violation } from '../../message/reply.ts';
import { type KeywordState, keywordChecks, typeCheck, typeText, valueText } from './keyword-checks.ts';
import { type PropertyNaming, pointerTo, wireName } from './names.ts';
import type { Scalar, Schema } from './schema.ts';
import { branchesOf, compiled, type NamedSchemas, type Visitor } from './walk.ts';

/** The state while one value is judged. */
export interface Judging extends KeywordState {
  /** Replaced while a schema of a choice is tried. */
  errors: Violation[];
  /** How many references lead to the value that is judged. */
  depth: number;
  /** The JSON text of a body. */
  readonly text?: string;
  /** What was found before of a part that is judged more than once. */
  readonly known?: Map<object, Map<unknown, Attempt | undefined>>;
}

/**
 * Reports violations. Returns the value for the handler, undefined after a violation. `parent` is the pointer of the
 * object or array that holds the value; `member` is its name or index there, undefined for the whole.
 */
export type Judge<State extends Judging> = (
  value: unknown,
  parent: string,
  member: string | undefined,
  state: State,
) => unknown;

export type JsonObject = Readonly<Record<string, unknown>>;

/** What bodies and values that are sent differ in. */
interface Side<State extends Judging> {
  readonly naming: PropertyNaming;
  /** Says of a value what it should be, and what it is. */
  readonly wrong: (expected: string, found?: string) => string;
  /** Finds the name that a property has in an object. */
  readonly nameFinder: (name: string) => (object: JsonObject, state: State) => string | undefined;
  /** Judges the members of what is an object. */
  readonly members: (
    schema: Schema,
    part: (schema: Schema) => Judge<State>,
  ) => (object: JsonObject, parent: string, member: string | undefined, state: State) => unknown;
}

/** How often `$ref` is followed into a value. Deeper values are refused: the stack of the engine has an end. */
const MAX_DEPTH = 200;
/** How deep a value is nested that no schema describes. */
const MAX_NESTING = 1000;
/** Limits what is told of a long array of wrong values. */
const MAX_VIOLATIONS = 100;

/** The visitor that makes the judge of one side. */
export function judges<State extends Judging>({
  naming,
  wrong,
  nameFinder,
  members,
}: Side<State>): Visitor<Judge<State>> {
  const refuse = (parent: string, member: string | undefined, state: State, expected: string, found?: string): void =>
    report(pointerTo(parent, member), wrong(expected, found), state);

  /** Reports the type and the keywords that a value does not have. Returns whether it has the type. */
  function typed(schema: Schema): (...of: Parameters<Judge<State>>) => boolean {
    const isOfType = typeCheck(schema);
    const checks = keywordChecks(schema);
    return (value, parent, member, state) => {
      if (!isOfType(value)) {
        refuse(parent, member, state, typeText(schema), valueText(schema, value));
        return false;
      }
      for (const check of checks) {
        const fault = check(value, state);
        if (fault !== undefined) refuse(parent, member, state, fault);
      }
      return true;
    };
  }

  return {
    orNull: (judge) => (value, parent, member, state) => (value === null ? null : judge(value, parent, member, state)),

    reference: (_, target) => (value, parent, member, state) => {
      if (state.depth >= MAX_DEPTH)
        return refuse(parent, member, state, `a value that is nested in at most ${MAX_DEPTH} of its kind`);
      state.depth += 1;
      const result = target()(value, parent, member, state);
      state.depth -= 1;
      return result;
    },

    choice(schema, branches) {
      const { discriminator } = schema;
      if (discriminator === undefined) {
        const candidates = [...branches.values()];
        return (value, parent, member, state) => {
          const matching = candidates.flatMap((judge) => attempt(judge, value, parent, member, state) ?? []);
          if (matching.length === 1) return matching[0]!.result;
          const expected = `a value of exactly one of ${candidates.length} schemas; this one has ${matching.length}`;
          return refuse(parent, member, state, expected);
        };
      }
      const selected = new Map(Array.from(branchesOf(schema), ([value, branch]) => [value, branches.get(branch)!]));
      const allowed = Array.from(selected.keys(), (value) => JSON.stringify(value)).join(', ');
      const name = wireName(discriminator.propertyName, naming);
      const sentName = nameFinder(name);
      return (value, parent, member, state) => {
        if (!isObject(value)) return refuse(parent, member, state, 'an object', valueText({}, value));
        const sent = sentName(value, state);
        const judge = sent === undefined ? undefined : selected.get(value[sent] as Scalar);
        if (judge !== undefined) return judge(value, parent, member, state);
        return refuse(pointerTo(parent, member), sent ?? name, state, `one of ${allowed}`);
      };
    },

    object(schema, part) {
      const judgeMembers = members(schema, part);
      return (value, parent, member, state) =>
        isObject(value)
          ? judgeMembers(value, parent, member, state)
          : refuse(parent, member, state, typeText(schema), valueText(schema, value));
    },

    array(schema, judgeItem) {
      const isTyped = typed(schema);
      const { maxItems = Infinity } = schema;
      return (value, parent, member, state) => {
        // One that is too long is not looked into.
        if (!isTyped(value, parent, member, state) || (value as readonly unknown[]).length > maxItems) return undefined;
        const pointer = pointerTo(parent, member);
        return (value as readonly unknown[]).map((item, index) => judgeItem(item, pointer, String(index), state));
      };
    },

    free(schema) {
      const isTyped = typed(schema);
      return (value, parent, member, state) => {
        if (!isTyped(value, parent, member, state)) return undefined;
        // Each level has two brackets.
        if (state.text !== undefined && state.text.length > 2 * MAX_NESTING && isDeeper(value, MAX_NESTING))
          return refuse(
            parent,
            member,
            state,
            `a value with at most ${MAX_NESTING} objects and arrays inside one another`,
          );
        if (!hasInfinity(value)) return value;
        return refuse(parent, member, state, 'a value with numbers in the range of a double');
      };
    },

    scalar(schema) {
      const isTyped = typed(schema);
      return (value, parent, member, state) => (isTyped(value, parent, member, state) ? value : undefined);
    },
  };
}

/** What a schema of a choice made of a value that matches it. */
interface Attempt {
  readonly result: unknown;
}

/** Tries one schema of a choice; undefined where the value does not match. */
export function attempt<State extends Judging>(
  judge: Judge<State>,
  value: unknown,
  parent: string,
  member: string | undefined,
  state: State,
): Attempt | undefined {
  const known = knownOf(value, state);
  if (known?.has(judge)) return known.get(judge);
  const { errors } = state;
  state.errors = [];
  const result = judge(value, parent, member, state);
  const attempted = state.errors.length === 0 ? { result } : undefined;
  state.errors = errors;
  known?.set(judge, attempted);
  return attempted;
}

function knownOf(value: unknown, { known }: Judging): Map<unknown, Attempt | undefined> | undefined {
  if (known === undefined || typeof value !== 'object' || value === null) return undefined;
  let ofValue = known.get(value);
  if (ofValue === undefined) known.set(value, (ofValue = new Map()));
  return ofValue;
}

export function report(pointer: string, detail: string, { errors }: Judging): void {
  if (errors.length < MAX_VIOLATIONS) errors.push({ pointer, detail });
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));

/** Whether a number inside cannot be written back as it was read, such as `1e999`. */
const hasInfinity = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(hasInfinity)
    : typeof value === 'number' && !Number.isFinite(value);

/**
 * Returns every difference of a value that is sent, each with its place. This is stricter than the validation of a
 * body: names are compared exactly, and a member that is not described, or is `writeOnly`, is a difference.
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
      const isHidden = schema.writeOnly && !allowsWriteOnly;
      return [wireName(name, naming), { check: part(schema), isRequired, isHidden }];
    }),
  );
  const refuse: Judge<Judging> = (_, parent, member, state) =>
    report(pointerTo(parent, member), 'is not described', state);
  const ignored = isOpen && additionalProperties === undefined;
  const checkFurther = ignored ? undefined : additionalProperties ? part(additionalProperties) : refuse;
  return (object: JsonObject, parent: string, member: string | undefined, state: Judging): void => {
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

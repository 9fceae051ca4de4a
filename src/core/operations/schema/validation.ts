/** Holds what all validators share: the state of one validation, and the report of a violation. */
import type { Violation } from '../../message/problem.ts';
import { MAX_VIOLATIONS, typeText, valueText } from './check-value.ts';
import type { Schema } from './declaration/schema.ts';
import { escapeToken, type SentNames, sentNames } from './json-members.ts';
import type { CheckState, KeywordCheck } from './keyword-checks.ts';
import type { PropertyLookup, PropertyNaming } from './property-naming.ts';

/** The state of one validation. */
export interface Validation extends CheckState {
  readonly text: string;
  /** What the text was parsed to. */
  readonly root: unknown;
  /** Replaced while a schema of a choice is tried. */
  errors: Violation[];
  /** How many references lead to the value that is validated. */
  depth: number;
  sentNames?: SentNames;
}

/**
 * Returns the value for the handler, or undefined after reporting a violation. `parent` is the pointer of the object or
 * array that holds the value; `member` is its name or index there, undefined for the body itself.
 */
export type ValueValidator = (
  value: unknown,
  parent: string,
  member: string | undefined,
  validation: Validation,
) => unknown;

/** What a schema is compiled with: the naming, the named schemas around it, and the compiler for its parts. */
export interface Scope {
  readonly naming: PropertyNaming;
  readonly named: ReadonlyMap<string, { validate?: ValueValidator }>;
  readonly compile: (schema: Schema, scope: Scope) => ValueValidator;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Sets `found` to the name that each property has in the object, and returns it. Of several, the last counts (D3). */
export function sentNamesOf(
  object: JsonObject,
  found: (string | undefined)[],
  lookUp: PropertyLookup,
  validation: Validation,
): (string | undefined)[] {
  if (collectNames(Object.keys(object), lookUp, found)) {
    validation.sentNames ??= sentNames(validation.text, validation.root);
    collectNames(validation.sentNames.get(object)!, lookUp, found);
  }
  return found;
}

/** Sets `found` to the last name of each property. Returns whether a property has several names. */
function collectNames(names: Iterable<string>, lookUp: PropertyLookup, found: (string | undefined)[]): boolean {
  let hasDuplicates = false;
  for (const name of names) {
    const index = lookUp(name);
    if (index === undefined) continue;
    hasDuplicates ||= found[index] !== undefined;
    found[index] = name;
  }
  return hasDuplicates;
}

/** A longer pointer, or name in one, is cut in the middle: a problem may have a hundred of them. */
const MAX_POINTER = 300;

/** The JSON Pointer (RFC 6901) of a member; of a long one the beginning and the end. */
export const pointerTo = (parent: string, member: string | undefined): string =>
  member === undefined ? parent : shortened(`${parent}/${escapeToken(shortened(member))}`);

const shortened = (text: string): string =>
  text.length <= MAX_POINTER ? text : `${text.slice(0, MAX_POINTER / 2)}…${text.slice(1 - MAX_POINTER / 2)}`;

export const reportType = (schema: Schema, value: unknown, pointer: string, validation: Validation): void =>
  report(pointer, `Expected ${typeText(schema)}, not ${valueText(schema, value)}`, validation);

export function reportFaults(
  value: unknown,
  checks: readonly KeywordCheck[],
  parent: string,
  member: string | undefined,
  validation: Validation,
): void {
  for (const check of checks) {
    const fault = check(value, validation);
    if (fault !== undefined) report(pointerTo(parent, member), `Expected ${fault}`, validation);
  }
}

export function report(pointer: string, detail: string, { errors }: Validation): void {
  if (errors.length < MAX_VIOLATIONS) errors.push({ pointer, detail });
}

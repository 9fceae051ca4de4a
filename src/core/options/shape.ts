/** Checks the members of a value at run time, because it may come from JavaScript, which no compiler checks. */
import { isObject } from '../log/thrown-value.ts';
import { article, nameRemedy, quoted, unknownName } from './assert-options.ts';

/** The kind of a member: its name for a message ("give a text"), its check, and the kind of each entry of a list. */
export type Kind = readonly [wanted: string, fits: (value: unknown) => boolean, entry?: Kind];

/** The kind of every member of `Type`. A shape without a member of `Type` does not compile. */
export type Shape<Type> = { readonly [Member in keyof Type & string]-?: Kind };

/** Returns true if the value is an object and not a list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isText = (value: unknown): value is string => typeof value === 'string';
export const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
export const isFunction = (value: unknown): boolean => typeof value === 'function';

/** The kind of a member that another function checks. */
export const ANY: Kind = ['a value', () => true];
/** The kind of a member that the library adds. Messages do not name this member. */
export const ADDED: Kind = ['nothing', () => true];
export const TEXT: Kind = ['a text', isText];
export const FLAG: Kind = ['true or false', (value) => typeof value === 'boolean'];
export const OBJECT: Kind = ['an object', isRecord];
export const FUNCTION: Kind = ['a function', isFunction];

/** Returns a shape with several members of one kind. */
export const each = <Name extends string>(kind: Kind, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, kind])) as Readonly<Record<Name, Kind>>;

/**
 * Returns the cause and the remedy if the value does not have this shape; otherwise undefined. Treats a member with the
 * value undefined as absent. `required` names the members that must be present.
 */
export function shapeFault(
  value: unknown,
  shape: Readonly<Record<string, Kind>>,
  required: readonly string[] = [],
): string | undefined {
  const names = Object.keys(shape).filter((name) => shape[name] !== ADDED);
  if (!isRecord(value)) return `it is ${shown(value)}; give an object of ${names.join(', ')}`;
  const unknown = unknownName(value, Object.keys(shape));
  const missing = required.find((name) => value[name] === undefined);
  if (unknown !== undefined) return `it has the unknown member ${quoted(unknown)}; ${nameRemedy(unknown, names)}`;
  return missing === undefined ? membersFault(value, shape) : `it has no "${missing}"; give ${shape[missing]![0]}`;
}

/** Does the same as `shapeFault` for the members in `kinds`. The value may have other members. */
export function membersFault(value: object, kinds: Readonly<Record<string, Kind>>): string | undefined {
  const members = value as Readonly<Record<string, unknown>>;
  const present = Object.entries(kinds).filter(([name]) => members[name] !== undefined);
  return present.map(([name, kind]) => memberFault(name, members[name], kind)).find((fault) => fault !== undefined);
}

function memberFault(name: string, value: unknown, [wanted, fits, entry]: Kind): string | undefined {
  if (!fits(value)) return `its "${name}" is ${shown(value)}; give ${wanted}`;
  if (entry === undefined) return undefined;
  const entries = Object.entries(Array.isArray(value) ? [...value] : (value as object));
  const wrong = entries.find(([, item]) => !entry[1](item));
  return wrong && memberFault(`${name}[${wrong[0]}]`, wrong[1], entry);
}

/** Returns the value as text for a message: a text in quotes, `5`, `null`, `a function`. */
export function shown(value: unknown): string {
  if (isText(value)) return quoted(value);
  if (Array.isArray(value)) return 'a list';
  return isObject(value) || isFunction(value) ? article(typeof value) : String(value);
}

/** Says what is wrong with the members of a value that may come from JavaScript, which no compiler has checked. */
import { isObject } from '../log/thrown-value.ts';
import { article, nameRemedy, quoted, unknownName } from './assert-options.ts';

/** What a member has to be: what to give, as in "give a text", and the check. `entry` is for each value in it. */
export type Kind = readonly [wanted: string, fits: (value: unknown) => boolean, entry?: Kind];

/** The kind of every member. Does not compile where it lacks one of the type, so that a new one is not refused. */
export type Shape<Type> = { readonly [Member in keyof Type & string]-?: Kind };

/** Is the value an object, and not a list? */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !Array.isArray(value);
export const isText = (value: unknown): value is string => typeof value === 'string';
export const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
export const isFunction = (value: unknown): boolean => typeof value === 'function';

/** Another check judges it. */
export const ANY: Kind = ['a value', () => true];
/** The library adds it. No remedy names it. */
export const ADDED: Kind = ['nothing', () => true];
export const TEXT: Kind = ['a text', isText];
export const FLAG: Kind = ['true or false', (value) => typeof value === 'boolean'];
export const OBJECT: Kind = ['an object', isRecord];
export const FUNCTION: Kind = ['a function', isFunction];

/** Several members of one kind. */
export const each = <Name extends string>(kind: Kind, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, kind])) as Readonly<Record<Name, Kind>>;

/**
 * What is wrong with a value, and the remedy; undefined for nothing. It has to be an object of these members, of which
 * some are `required`. A member that is undefined counts as absent.
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
  if (unknown !== undefined) return `it has the member ${quoted(unknown)}; ${nameRemedy(unknown, names)}`;
  return missing === undefined ? membersFault(value, shape) : `it has no "${missing}"; give ${shape[missing]![0]}`;
}

/** The same for the members that have a kind; others may be there. */
export function membersFault(value: object, kinds: Readonly<Record<string, Kind>>): string | undefined {
  const members = value as Readonly<Record<string, unknown>>;
  const given = Object.entries(kinds).filter(([name]) => members[name] !== undefined);
  return given.map(([name, kind]) => memberFault(name, members[name], kind)).find((fault) => fault !== undefined);
}

/** What is wrong with the value of one member, and the remedy; undefined for nothing. */
function memberFault(name: string, value: unknown, [wanted, fits, entry]: Kind): string | undefined {
  if (!fits(value)) return `its "${name}" is ${shown(value)}; give ${wanted}`;
  if (entry === undefined) return undefined;
  const entries = Object.entries(Array.isArray(value) ? [...value] : (value as object));
  const wrong = entries.find(([, one]) => !entry[1](one));
  return wrong && memberFault(`${name}[${wrong[0]}]`, wrong[1], entry);
}

/** The value in words: a text in quotes, `5`, `null`, `a function`. */
function shown(value: unknown): string {
  if (isText(value)) return quoted(value);
  if (Array.isArray(value)) return 'a list';
  return isObject(value) || isFunction(value) ? article(typeof value) : String(value);
}

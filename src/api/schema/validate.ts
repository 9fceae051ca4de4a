/**
 * What a body must be: a schema compiled to closures that check a parsed value and make the one the handler gets (D3).
 *
 * `{"Name": 5}` is refused with the pointer `/Name` – the name as the client sent it –, a missing required name with the
 * spelling on the wire. Unknown members are ignored, `__proto__` is one of them; the last duplicate wins.
 */
import type { Violation } from '../../http/message/problem.ts';
import { type WrittenMembers, writtenMembers } from './json-members.ts';
import { escapedName } from './json-pointer.ts';
import { memberNames } from './member-names.ts';
import { type PropertyNaming, wireName } from './property-naming.ts';
import type { Infer, Schema } from './schema.ts';
import { matchesType, typeText } from './value-types.ts';

/** The value for the handler, or everything that is wrong. */
export type ReadBody<Value> =
  | { readonly value: Value; readonly errors?: never }
  | { readonly errors: readonly Violation[]; readonly value?: never };

/** Reads one parsed body. `text` is the JSON that `value` was parsed from. */
export type BodyReader<Value> = (value: unknown, text: string) => ReadBody<Value>;

/** So that a refused list of a million numbers is not answered with a million lines. */
const MOST_VIOLATIONS = 100;

interface Reading {
  readonly text: string;
  readonly errors: Violation[];
  written?: (pointer: string) => WrittenMembers;
}

/** Returns the value as the handler sees it, or undefined after noting what is wrong. `member` is empty for the body as a whole. */
type Reader = (value: unknown, parent: string, member: string | undefined, reading: Reading) => unknown;

/**
 * Compiles a schema. The reader's value has the names of the code in the order of the schema; an absent property has its
 * default, null where that is a value (D5), and is left out otherwise. Never throws.
 */
export function bodyReader<const S extends Schema>(schema: S, naming: PropertyNaming): BodyReader<Infer<S>> {
  const read = readerOf(schema, naming);
  return (value, text) => {
    const reading: Reading = { text, errors: [] };
    const result = read(value, '', undefined, reading);
    return reading.errors.length === 0 ? { value: result as Infer<S> } : { errors: reading.errors };
  };
}

function readerOf(schema: Schema, naming: PropertyNaming): Reader {
  if (schema.type === 'object' && schema.properties) return objectReader(schema, schema.properties, naming);
  if (schema.type === 'array' && schema.items) return arrayReader(schema, readerOf(schema.items, naming));
  return (value, parent, member, reading) =>
    matchesType(schema, value) ? value : refuse(schema, value, parent, member, reading);
}

function arrayReader(schema: Schema, readItem: Reader): Reader {
  return (value, parent, member, reading) => {
    if (!Array.isArray(value))
      return value === null && schema['x-nullable'] ? null : refuse(schema, value, parent, member, reading);
    const pointer = pointerTo(parent, member);
    return value.map((item, at) => readItem(item, pointer, String(at), reading));
  };
}

function objectReader(schema: Schema, properties: Readonly<Record<string, Schema>>, naming: PropertyNaming): Reader {
  const names = Object.keys(properties),
    wireNames = names.map((name) => wireName(name, naming));
  const described = Object.values(properties),
    readers = described.map((property) => readerOf(property, naming));
  const positionOf = memberNames(wireNames);
  const required = names.map((name) => schema.required?.includes(name) ?? false);
  const substitutes = described.map((property) =>
    'default' in property ? property.default : property['x-nullable'] ? null : undefined,
  );
  // D3: `key: null` is as good as absent, `isComplete: null` is not: it has a default that is no null.
  const nullIsAbsent = described.map(
    (property, at) => !required[at] && !property['x-nullable'] && !('default' in property),
  );

  /** The spelling in which each property was sent, undefined for an absent one. */
  const spellingsIn = (sent: readonly string[]): { spellings: (string | undefined)[]; repeated: boolean } => {
    const spellings: (string | undefined)[] = new Array(names.length).fill(undefined);
    let repeated = false;
    for (const name of sent) {
      const position = positionOf(name);
      if (position === undefined) continue;
      repeated ||= spellings[position] !== undefined;
      spellings[position] = name;
    }
    return { spellings, repeated };
  };

  const flat =
    names.every((name, at) => name === wireNames[at]) &&
    described.every(({ type }) => type !== 'object' && type !== 'array');
  const isMissed = (at: number): boolean => required[at]! || substitutes[at] !== undefined;

  /**
   * Is this what reading would make of it, in names, order and types? Most bodies are, and need no look-up and no copy: measured,
   * 3 % of a whole PUT.
   */
  const isAsRead = (sent: Readonly<Record<string, unknown>>): boolean => {
    let at = 0;
    for (const name in sent) {
      for (; names[at] !== name; at += 1) if (at >= names.length || isMissed(at)) return false;
      if (!matchesType(described[at]!, sent[name])) return false;
      at += 1;
    }
    for (; at < names.length; at += 1) if (isMissed(at)) return false;
    return true;
  };

  return (value, parent, member, reading) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return value === null && schema['x-nullable'] ? null : refuse(schema, value, parent, member, reading);
    }
    const sent = value as Readonly<Record<string, unknown>>;
    if (flat && isAsRead(sent)) return sent;
    const pointer = pointerTo(parent, member);
    let { spellings, repeated } = spellingsIn(Object.keys(sent));
    if (repeated) {
      reading.written ??= writtenMembers(reading.text);
      ({ spellings } = spellingsIn([...reading.written(pointer).keys()]));
    }
    const result: Record<string, unknown> = {};
    for (let at = 0; at < names.length; at += 1) {
      const spelling = spellings[at];
      let read: unknown;
      if (spelling === undefined || (sent[spelling] === null && nullIsAbsent[at])) {
        if (required[at]) violate(`${pointer}/${escapedName(wireNames[at]!)}`, 'This member is required', reading);
        read = substitutes[at];
      } else read = readers[at]!(sent[spelling], pointer, spelling, reading);
      if (read !== undefined) result[names[at]!] = read;
    }
    return result;
  };
}

const pointerTo = (parent: string, member: string | undefined): string =>
  member === undefined ? parent : `${parent}/${escapedName(member)}`;

function refuse(
  schema: Schema,
  value: unknown,
  parent: string,
  member: string | undefined,
  reading: Reading,
): undefined {
  violate(pointerTo(parent, member), `Expected ${typeText(schema)}, not ${valueText(schema, value)}`, reading);
}

function violate(pointer: string, detail: string, reading: Reading): void {
  if (reading.errors.length < MOST_VIOLATIONS) reading.errors.push({ pointer, detail });
}

function valueText({ type }: Schema, value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  if (typeof value !== 'number' || (type !== 'integer' && type !== 'number')) return `a ${typeof value}`;
  return Number.isFinite(value) ? String(value) : 'one beyond the range of a double';
}

/**
 * Copies values for JSON in one walk, which returns a fault or the copy. The copy has the order of the schema, and the
 * names in the spelling of the rules (D1). `serialize.ts` turns the copy into a text.
 */
import { isRecord } from '../../core/options/shape.ts';
import { compiled, type Forms } from './compile.ts';
import { choiceNames, Fault, MISSING, NOT_ALLOWED, otherThan, wrongType } from './faults.ts';
import { freeValue, isSelfWriting, jsonOf, setMember } from './free-value.ts';
import { keywordChecks, scalarType } from './keyword-checks.ts';
import { type PropertyNaming, wireName } from './names.ts';
import type { Schema } from './schema.ts';

/**
 * The maximum nesting of a value without a schema. It exceeds that of a body, which a reply may contain. An object that
 * contains itself has more.
 */
const MAX_NESTING = 2000;

export interface CopyRules {
  /** The spelling of the names in the value. */
  readonly from: PropertyNaming;
  /** The spelling of the names in the copy. */
  readonly to: PropertyNaming;
  /** Whether the copy has `writeOnly` properties. */
  readonly hasWriteOnly?: boolean;
  /**
   * Whether the copy decides which schema of a choice fits. Then violated keywords and unknown members are faults, too.
   */
  readonly isTrial?: boolean;
}

type Members = Readonly<Record<string, unknown>>;

/** Returns a copy of the value, or the first fault. */
export type Write = (value: unknown) => unknown;

export const copyForms = (rules: CopyRules): Forms<Write> => ({
  scalar(schema) {
    const { kind, fits } = scalarType(schema);
    const write: Write = (value) => {
      if (typeof value !== kind || (fits !== undefined && !fits(value))) return selfWritten(value, schema, write);
      return value;
    };
    return write;
  },

  array(schema, writeItem) {
    const write: Write = (value) => {
      if (!Array.isArray(value)) return selfWritten(value, schema, write);
      const copy: unknown[] = [];
      for (let at = 0; at < value.length; at += 1) {
        const item = writeItem(value[at]);
        if (item instanceof Fault) return item.in(at);
        copy.push(item);
      }
      return copy;
    };
    return write;
  },

  free(schema) {
    const isOfType = schema.type === 'array' ? Array.isArray : isRecord;
    return (value) => {
      const written = jsonOf(value);
      if (written === null && schema['x-nullable']) return null;
      return isOfType(written) ? freeValue(written, MAX_NESTING) : new Fault(wrongType(schema, written));
    };
  },

  object: (schema, partOf) => objectWriter(schema, partOf, rules),

  choice(schema, branches, named) {
    if (!rules.isTrial) return compiled(schema, copyForms({ ...rules, isTrial: true }), named);
    const all = choiceNames(schema).join(', ');
    const writers = branches();
    return (value) => {
      for (const write of writers) {
        const copy = write(value);
        if (!(copy instanceof Fault)) return copy;
      }
      return new Fault({ detail: `Expected one of ${all}, with all its members`, keyword: 'oneOf' });
    };
  },

  selection(property, branches) {
    const name = wireName(property, rules.from);
    const other = otherThan(branches.keys());
    return (value) => {
      if (!isRecord(value)) return new Fault(wrongType({ type: 'object' }, value));
      return branches.get(value[name])?.(value) ?? new Fault(other, [name]);
    };
  },

  reference: (target) => (value) => target()(value),

  whole(schema, write) {
    const isNullable = schema['x-nullable'] === true;
    const checks = rules.isTrial ? [...keywordChecks(schema)] : [];
    if (checks.length === 0) return isNullable ? (value) => (value === null ? null : write(value)) : write;
    return (value) => {
      const copy = value === null && isNullable ? null : write(value);
      if (copy === null || copy instanceof Fault) return copy;
      const flaw = checks.map((check) => check(copy)).find((flaw) => flaw !== undefined);
      return flaw === undefined ? copy : new Fault(flaw);
    };
  },
});

/** Writes the result of `toJSON`, as of a `Date`. Any other value has a wrong type. */
function selfWritten(value: unknown, schema: Schema, write: Write): unknown {
  if (!isSelfWriting(value)) return new Fault(wrongType(schema, value));
  const written = value.toJSON();
  return written === null && schema['x-nullable'] ? null : write(written);
}

function objectWriter(schema: Schema, partOf: (inner: Schema) => Write, rules: CopyRules): Write {
  const { from, to, hasWriteOnly = false, isTrial = false } = rules;
  const { properties = {}, required = [], additionalProperties } = schema;
  const declared = Object.entries(properties);
  const members = declared
    .filter(([, { writeOnly }]) => hasWriteOnly || !writeOnly)
    .map(([name, property]) => ({
      name: wireName(name, from),
      newName: wireName(name, to),
      write: partOf(property),
      isRequired: required.includes(name) && !property.writeOnly,
      isInherited: name in Object.prototype,
    }));
  // A further member must not have the new name of a property, because JSON would then repeat it.
  const known = new Set(declared.flatMap(([name]) => [wireName(name, from), wireName(name, to)]));
  const ignoresFurther = !additionalProperties && !isTrial;
  const writeFurther = additionalProperties ? partOf(additionalProperties) : () => new Fault(NOT_ALLOWED);

  /** The entries of an array or a `Map` are not properties. */
  const isCollection = (value: Members): boolean =>
    Boolean(additionalProperties) || members.every(({ name }) => value[name] === undefined);

  const write: Write = (value) => {
    if (!isRecord(value) || (Symbol.iterator in value && isCollection(value))) return selfWritten(value, schema, write);
    const copy: Record<string, unknown> = {};
    for (const { name, newName, write: writeMember, isRequired, isInherited } of members) {
      const member = isInherited && !Object.hasOwn(value, name) ? undefined : value[name];
      if (member === undefined) {
        if (isRequired) return new Fault(MISSING, [name]);
        continue;
      }
      const written = writeMember(member);
      if (written instanceof Fault) return written.in(name);
      if (newName === '__proto__') setMember(copy, newName, written);
      else copy[newName] = written;
    }
    if (ignoresFurther) return copy;
    for (const [name, further] of Object.entries(value)) {
      if (further === undefined || known.has(name)) continue;
      const written = writeFurther(further);
      if (written instanceof Fault) return written.in(name);
      setMember(copy, name, written);
    }
    return copy;
  };
  return write;
}

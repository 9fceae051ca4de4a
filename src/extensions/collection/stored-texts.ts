/**
 * Decides how a value is written in a store that outlives the process, and what is sent of it.
 *
 * It is stored as JSON with the names of its schema: the naming of the service may change between two runs. What
 * another program has put in its place is not trusted: a value that the schema does not take is skipped, with one
 * warning.
 */

import { logWarning } from '../../core/log/log-line.ts';
import { attempt } from '../../core/log/thrown-value.ts';
import type { Version } from '../../core/message/headers/entity-tag.ts';
import { isRecord } from '../../core/options/shape.ts';
import { checkValue } from '../../operations/schema/judge.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import type { InferReply, Schema } from '../../operations/schema/schema.ts';
import { serializer } from '../../operations/schema/serialize.ts';

/** The names that are written in stores. */
const STORED: PropertyNaming = 'camelCase';

/** Writes values as the texts that are kept, and answers with kept texts. `what` is the store as messages name it. */
export function storedTexts<S extends Schema>(schema: S, naming: PropertyNaming, what: string) {
  const write = serializer(schema, STORED);
  const send = serializer(schema, naming);
  /** Ends the versions of a naming whose texts differ from the stored ones: a strong ETag names one text. */
  const suffix = naming === STORED ? '' : '.p';
  let hasWarned = false;

  /** The value of a stored text; undefined for one that is wrong. */
  function valueOf(key: string, stored: string): InferReply<S> | undefined {
    const value = known(
      attempt<unknown>(() => JSON.parse(stored), undefined),
      schema,
    );
    const [fault] = value === undefined ? [{ pointer: '', detail: 'is no JSON' }] : checkValue(value, schema, STORED);
    if (fault === undefined) return value as InferReply<S>;
    if (!hasWarned) {
      const where = `the value of the item ${JSON.stringify(key)}${fault.pointer && ` at "${fault.pointer}"`}`;
      logWarning(`Wrong data in ${what}: ${where} ${fault.detail}; it is skipped, as others that are wrong`);
    }
    hasWarned = true;
    return undefined;
  }

  return {
    valueOf,
    /** What is stored of a value, and what is sent of it. */
    written(value: InferReply<S>) {
      const stored = write(value);
      return { stored, sent: suffix === '' ? stored : send(value) };
    },
    /** What is sent of a stored text; undefined for one that is wrong. */
    sent(key: string, stored: string): string | undefined {
      const value = valueOf(key, stored);
      return value === undefined ? undefined : send(value);
    },
    /** The version that a client sees for a stored one. */
    sentVersion: (stored: string): string => stored + suffix,
    /** The stored version for one that a client has seen. Another text equals no stored one. */
    storedVersion(sent: Version): string {
      const text = String(sent);
      return text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : '';
    },
  };
}

/** A value without the members that its schema lacks: a later version may have stored more. */
function known(value: unknown, { properties = {} }: Schema): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties, name)));
}

/**
 * Decides how a value is written in a store that outlives the process, and what is sent of it.
 *
 * It is stored as JSON with the names of its schema, whatever the naming of the service: the setting may change between
 * two runs. What another program has put in its place is not trusted: a value that the schema does not take is skipped,
 * with one warning for the store.
 */

import { randomBytes } from 'node:crypto';
import { logWarning } from '../../extending.ts';
import type { Version } from '../../http.ts';
import type { InferReply, Schema } from '../../index.ts';
import { checkValue, type PropertyNaming, serializer } from '../../operations.ts';
import { canonicalText } from './canonical-text.ts';

/** The names that are written in stores. */
const STORED: PropertyNaming = 'camelCase';

const NO_JSON = { pointer: '', detail: 'is no JSON' };

/** What is stored of a value, and what is sent of it. */
interface Texts {
  readonly stored: string;
  readonly sent: string;
}

/** Writes values as the texts that are kept, and answers with kept texts. */
export class StoredTexts<S extends Schema> {
  readonly #schema: S;
  readonly #write: (value: InferReply<S>) => string;
  readonly #send: (value: InferReply<S>) => string;
  readonly #canonical: RegExp;
  /** A canonical text is right where its schema says no more than types. */
  readonly #isToldByTypes: boolean;
  readonly #isSentAsStored: boolean;
  /** Ends the versions of a naming whose texts differ from the stored ones: a strong ETag names one text. */
  readonly #suffix: string;
  readonly #what: string;
  #hasWarned = false;

  /** `what` is the store as messages name it. */
  constructor(schema: S, naming: PropertyNaming, what: string) {
    this.#schema = schema;
    this.#write = serializer(schema, STORED);
    this.#send = serializer(schema, naming);
    this.#canonical = canonicalText(schema, STORED);
    this.#isToldByTypes = saysTypesAlone(schema);
    this.#isSentAsStored = naming === STORED;
    this.#suffix = this.#isSentAsStored ? '' : '.p';
    this.#what = what;
  }

  /** `sent` is the JSON text that the value was read from, if there is one. */
  written(value: InferReply<S>, sent?: string): Texts {
    if (this.#isSentAsStored) {
      const stored = sent !== undefined && this.#canonical.test(sent) ? sent : this.#write(value);
      return { stored, sent: stored };
    }
    return { stored: this.#write(value), sent: this.#send(value) };
  }

  /** What is sent of a stored text; undefined for one that is wrong. */
  sent(key: string, stored: string): string | undefined {
    if (this.#isSentAsStored && this.#isToldByTypes && this.#canonical.test(stored)) return stored;
    const value = this.value(key, stored);
    return value === undefined ? undefined : this.#send(value);
  }

  /** The value of a stored text; undefined for one that is wrong. */
  value(key: string, stored: string): InferReply<S> | undefined {
    const value = known(parsed(stored), this.#schema);
    const [fault] = value === undefined ? [NO_JSON] : checkValue(value, this.#schema, STORED);
    if (fault === undefined) return value as InferReply<S>;
    if (!this.#hasWarned) {
      const where = `the value of the item ${JSON.stringify(key)}${fault.pointer && ` at "${fault.pointer}"`}`;
      logWarning(`Wrong data in ${this.#what}: ${where} ${fault.detail}; it is skipped, as others that are wrong`);
    }
    this.#hasWarned = true;
    return undefined;
  }

  /** The version that a client sees for a stored one. */
  sentVersion(stored: string): string {
    return stored + this.#suffix;
  }

  /** The stored version for one that a client has seen. Another text equals no stored one. */
  storedVersion(sent: Version): string {
    const text = String(sent);
    return this.#isSentAsStored ? text : text.endsWith(this.#suffix) ? text.slice(0, -this.#suffix.length) : '';
  }
}

const OF_TYPES = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'x-nullable'],
  ...['title', 'description', 'default', 'example'],
]);

function saysTypesAlone(schema: Schema): boolean {
  const { properties = {}, items } = schema;
  const parts = [...Object.values(properties), ...(items === undefined ? [] : [items])];
  return Object.keys(schema).every((name) => OF_TYPES.has(name)) && parts.every(saysTypesAlone);
}

function parsed(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}

/** A value without the members that its schema lacks: a later version may have stored more. */
function known(value: unknown, { properties = {} }: Schema): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties, name)));
}

/** Makes a new version at each call, of up to 24 characters that an ETag needs not escape. */
export function versionMaker(): () => string {
  const run = randomBytes(9).toString('base64url');
  let count = 0;
  return () => `${run}${(count++).toString(36)}`;
}

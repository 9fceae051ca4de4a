/** Reads the file of `--info`, a JSON object with members of the `info` object of the description (§2.2). */
import { hint } from '../../core/options/did-you-mean.ts';
import { uncheckedValidator } from '../../operations/schema/read-value.ts';
import type { Infer, Schema } from '../../operations/schema/schema.ts';
import { InvalidValue } from './kinds.ts';

const text = { type: 'string', minLength: 1 } as const;
const address = { type: 'string', format: 'uri' } as const;

const INFO = {
  type: 'object',
  additionalProperties: false,
  properties: {
    title: { ...text, default: 'To-do API' },
    version: { ...text, default: 'v1' },
    description: {
      ...text,
      default: 'Keeps a list of to-do items. Errors are problem details (application/problem+json).',
    },
    termsOfService: text,
    contact: {
      type: 'object',
      additionalProperties: false,
      properties: { name: text, url: address, email: { type: 'string', format: 'email' } },
    },
    license: {
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: { name: text, url: address },
    },
  },
} as const satisfies Schema;

type Info = Infer<typeof INFO>;

const NAMES = Object.keys({ ...INFO.properties, ...INFO.properties.contact.properties });
const validate = uncheckedValidator(INFO, 'camelCase');

/** Returns the members of a text. A missing member gets its default. Throws an `InvalidValue` that names each fault. */
export function infoOf(content: string): Info {
  const { value, errors = [] } = validate(parsed(content));
  if (value !== undefined) return value;
  const faults = errors.map(({ pointer = '', detail }) => {
    const name = pointer.slice(pointer.lastIndexOf('/') + 1);
    return `${pointer && `${pointer}: `}${detail}${NAMES.includes(name) ? '' : hint(name, NAMES)}`;
  });
  throw new InvalidValue(`${faults.join('; ')}; correct the file`);
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    // The parser's message is not shown, because it quotes the file, which may contain a password.
    throw new InvalidValue('it is not JSON; give an object such as { "title": "To-do API" }');
  }
}

export const DEFAULT_INFO: Info = infoOf('{}');

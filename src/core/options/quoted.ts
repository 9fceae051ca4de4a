/** Puts a value, or the type of one, into the words of an error message. */

/** The type with its article: `a string`, `an object`. */
export const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** A value in quotes for an error message; a text is cut after 100 characters. */
export const quoted = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : `"${String(value)}"`;

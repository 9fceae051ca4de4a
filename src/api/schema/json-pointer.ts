/** Escapes names for a JSON Pointer and reads them back: `a/b` is written `a~1b`, `a~b` is `a~0b` (RFC 6901 §3, §4). */

/** Returns the reference token for a name: the text between two slashes of a pointer. */
export const escapeToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Returns the name for a reference token. */
export const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

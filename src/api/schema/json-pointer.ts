/** Names inside a JSON Pointer (RFC 6901 §3, §4): `a/b` is written `a~1b`, `a~b` is written `a~0b`. */

/** A name as it stands between two slashes of a pointer. */
export const escapedName = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The name that a piece of a pointer means. */
export const unescapedName = (piece: string): string => piece.replaceAll('~1', '/').replaceAll('~0', '~');

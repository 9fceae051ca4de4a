/**
 * Decides which values are booleans (reference C.6): `true` or `false` in any case, with white space or U+0000 around.
 *
 * `1`, `yes` and `on` are refused.
 */
import { isWhiteSpace, trimWhiteSpace } from '../text/white-space.ts';

const isPadding = (character: string): boolean => character === '\0' || isWhiteSpace(character);

/** Is this text a boolean? */
export const isBoolean = (text: string): boolean => /^(?:true|false)$/i.test(trimWhiteSpace(text, isPadding));

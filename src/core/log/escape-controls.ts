/**
 * Decides which characters a line of text shows as escapes: those on which a terminal or a splitter of lines acts.
 *
 * They are the control characters (U+0000 to U+001F, U+007F to U+009F), the line and paragraph separators (U+2028,
 * U+2029) and the invisible format characters, which can reverse the order of the text.
 */

const ACTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text with an escape such as `\u001b` in place of each such character. JSON text keeps its value. */
export const escapeControls = (text: string): string => text.replace(ACTIVE, escaped);

/** The text as one line: a space in place of line breaks and the white space around them, escapes for the rest. */
export const oneLine = (text: string): string =>
  escapeControls(
    text
      .split(/[\r\n\u0085\u2028\u2029]/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' '),
  );

/** A character outside the basic plane is two code units and so two escapes. */
const escaped = (character: string): string =>
  character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

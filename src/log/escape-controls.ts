/**
 * Which characters a line for people or for a log shows as escapes: every one that a terminal or a line splitter acts on.
 *
 * These are the control characters (U+0000 to U+001F, U+007F to U+009F), the line and paragraph separators (U+2028, U+2029) and
 * the invisible format characters, which can reverse the order of what is shown.
 */

const ACTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text with `\u001b` in place of such a character. JSON text stays JSON of the same value. */
export const escapeControls = (text: string): string => text.replace(ACTIVE, escaped);

/** Any text as one line: line breaks and the white space round them become one space, other such characters escapes. */
export const oneLine = (text: string): string =>
  escapeControls(
    text
      .split(/[\r\n\u0085\u2028\u2029]/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' '),
  );

function escaped(character: string): string {
  let text = '';
  for (let at = 0; at < character.length; at++) text += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return text;
}

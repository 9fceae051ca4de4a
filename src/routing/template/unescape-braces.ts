/** Replaces each doubled brace of a template by one brace. Runs of braces pair from the left. */
export const unescapeBraces = (text: string): string =>
  text.indexOf('{') < 0 && text.indexOf('}') < 0 ? text : text.replaceAll('}}', '}').replaceAll('{{', '{');

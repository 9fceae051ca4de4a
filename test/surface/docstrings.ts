/** Reads the docstrings of declarations, and the examples in them. */

/**
 * Returns the docstring before an exported declaration, without its stars, or undefined. Throws if the source does not
 * declare the name.
 */
export function docstringOf(source: string, name: string): string | undefined {
  const declaration = new RegExp(
    `^export (?:abstract |async )?(?:class|const|function\\*?|interface|type) ${name}\\b`,
    'm',
  );
  const at = source.search(declaration);
  if (at < 0) throw new Error(`The source does not export a declaration of "${name}"`);
  const found = /\/\*\* ?((?:(?!\*\/)[^])*)\*\/\n$/.exec(source.slice(0, at));
  return found?.[1]!.replace(/^ *\* ?/gm, '').replace(/^\n|\s+$/g, '');
}

/** Returns the examples: blocks of lines that are indented by four spaces. An empty line does not end a block. */
export const examplesIn = (docstring: string): readonly string[] =>
  [...`${docstring}\n`.matchAll(/(?:^ {4}.*\n(?:\n(?= {4}))*)+/gm)].map(([lines]) => lines.replace(/^ {4}/gm, ''));

/** Reads the docstrings of declarations, and the examples in them. */

/**
 * The docstring in front of an exported declaration, without its stars; undefined where there is none. Throws where
 * the source does not declare the name.
 */
export function docstringOf(source: string, name: string): string | undefined {
  const declaration = new RegExp(
    `^export (?:abstract |async )?(?:class|const|function\\*?|interface|type) ${name}\\b`,
    'm',
  );
  const at = source.search(declaration);
  if (at < 0) throw new Error(`There is no exported declaration of "${name}"`);
  const found = /\/\*\* ?((?:(?!\*\/)[^])*)\*\/\n$/.exec(source.slice(0, at));
  return found?.[1]!.replace(/^ *\* ?/gm, '').replace(/^\n|\s+$/g, '');
}

/** The lines that are indented by four, one text for each example; empty lines do not end it. */
export const examplesIn = (docstring: string): readonly string[] =>
  [...`${docstring}\n`.matchAll(/(?:^ {4}.*\n(?:\n(?= {4}))*)+/gm)].map(([lines]) => lines.replace(/^ {4}/gm, ''));

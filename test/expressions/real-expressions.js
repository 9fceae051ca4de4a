/**
 * Collects the regular expression literals of the installed packages, without repetitions.
 *
 * Finding them takes a parser, because a `/` in JavaScript is a division or begins a literal. A file that does not
 * parse is skipped.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'acorn';
import { simple } from 'acorn-walk';

/** Longer expressions are tables of characters, which would fill most of the recorded file. */
const MAX_LENGTH = 400;

/** Returns the sources and flags of the literals in some folders and their subfolders, sorted. */
export function realExpressions(folders) {
  const found = new Map();
  for (const file of folders.flatMap(scriptsIn)) {
    for (const { pattern, flags } of literalsOf(readFileSync(file, 'utf8'))) {
      const matchFlags = flags.replace(/[dgy]/g, '');
      if (pattern.length <= MAX_LENGTH) found.set(`${pattern}/${matchFlags}`, { source: pattern, flags: matchFlags });
    }
  }
  return [...found].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, expression]) => expression);
}

function scriptsIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.[cm]?js$/.test(entry.name))
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`);
}

function literalsOf(text) {
  const literals = [];
  for (const sourceType of ['module', 'script']) {
    try {
      const tree = parse(text, {
        ecmaVersion: 'latest',
        sourceType,
        allowHashBang: true,
        allowReturnOutsideFunction: true,
      });
      simple(tree, {
        Literal(node) {
          if (node.regex) literals.push(node.regex);
        },
      });
      return literals;
    } catch {
      // The file has the other source type, or syntax that the parser does not know.
    }
  }
  return literals;
}

/**
 * The regular expression literals of the packages that are installed, each once.
 *
 * A parser finds them, because a `/` in JavaScript is a division or a literal by what stands before it. A file that it cannot parse
 * is left out.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'acorn';
import { simple } from 'acorn-walk';

/** Longer ones are tables of characters, and would be most of the recorded file. */
const LONGEST = 400;

/** Sources and flags of the literals below some folders, sorted. */
export function realExpressions(folders) {
  const found = new Map();
  for (const file of folders.flatMap(scriptsIn)) {
    for (const { pattern, flags } of literalsOf(readFileSync(file, 'utf8'))) {
      const own = flags.replace(/[dgy]/g, '');
      if (pattern.length <= LONGEST) found.set(`${pattern}/${own}`, { source: pattern, flags: own });
    }
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, expression]) => expression);
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
      // Of the other kind, or no JavaScript of today.
    }
  }
  return literals;
}

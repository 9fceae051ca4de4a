/**
 * How the arguments of a command line are read: which are flags, which of them take the next argument as their value, and which are
 * neither (D32).
 *
 * A value may begin with one dash, for `-1` is a number, but only behind an equals sign with two.
 */

/** Takes a value, is on by being there, or asks for something else than serving. */
export type FlagKind = 'value' | 'bare' | 'action';

/** What one or two arguments are. A flag's `name` has no dashes; `written` is as it was given. */
export type Token =
  | { readonly kind: 'flag'; readonly name: string; readonly text: string }
  | { readonly kind: 'action'; readonly name: string }
  | { readonly kind: 'without value'; readonly name: string }
  | { readonly kind: 'unknown flag'; readonly written: string }
  | { readonly kind: 'argument'; readonly text: string };

/** Reads the arguments (without node and script) in their order. `-h` is `--help`, `--` ends the flags. Never throws. */
export function readCommandLine(argv: readonly string[], known: ReadonlyMap<string, FlagKind>): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < argv.length; at++) {
    const given = argv[at]!,
      next = argv[at + 1];
    if (given === '--') return [...tokens, ...argv.slice(at + 1).map((text): Token => ({ kind: 'argument', text }))];
    if (given[0] !== '-' || given === '-') {
      tokens.push({ kind: 'argument', text: given });
      continue;
    }
    const { name, written, inline } = flagOf(given);
    const kind = known.get(name);
    if (kind === 'action') tokens.push({ kind, name });
    else if (kind === 'bare') tokens.push({ kind: 'flag', name, text: inline ?? 'on' });
    else if (kind === 'value' && inline !== undefined) tokens.push({ kind: 'flag', name, text: inline });
    else if (kind === 'value' && next !== undefined && !next.startsWith('--')) {
      tokens.push({ kind: 'flag', name, text: next });
      at++;
    } else if (kind === 'value') tokens.push({ kind: 'without value', name });
    else {
      tokens.push({ kind: 'unknown flag', written });
      // What follows is its value, and not wrong by itself.
      if (inline === undefined && next !== undefined && !/^-\D/.test(next)) at++;
    }
  }
  return tokens;
}

/** The name of a flag with one dash keeps it, so that no setting has it. */
function flagOf(given: string): {
  readonly name: string;
  readonly written: string;
  readonly inline: string | undefined;
} {
  const end = given.indexOf('='),
    written = end < 0 ? given : given.slice(0, end);
  const name = written === '-h' ? 'help' : written.startsWith('--') ? written.slice(2) : written;
  return { name, written, inline: end < 0 ? undefined : given.slice(end + 1) };
}

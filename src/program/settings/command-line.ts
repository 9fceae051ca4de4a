/**
 * Splits the arguments of a command line into flags, their values and other arguments (D32).
 *
 * A value may begin with one dash, as `-1` does. A value that begins with two dashes needs the form `--flag=VALUE`.
 */

/** `value`: takes a value. `bare`: is on when it is present. `action`: does something other than serving. */
export type FlagKind = 'value' | 'bare' | 'action';

/** One argument, or a flag with its value. `name` has no dashes; `written` is the argument as it stands. */
export type Token =
  | { readonly kind: 'flag'; readonly name: string; readonly text: string }
  | { readonly kind: 'action'; readonly name: string }
  | { readonly kind: 'without value'; readonly name: string }
  | { readonly kind: 'unknown flag'; readonly written: string }
  | { readonly kind: 'argument'; readonly text: string };

/** Splits the arguments (without node and script) in order. `-h` is `--help`, `--` ends the flags. Never throws. */
export function readCommandLine(argv: readonly string[], known: ReadonlyMap<string, FlagKind>): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < argv.length; at++) {
    const given = argv[at]!;
    const next = argv[at + 1];
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
      // The next argument is probably its value, so it is not reported.
      if (inline === undefined && next !== undefined && !/^-\D/.test(next)) at++;
    }
  }
  return tokens;
}

/** The parts of a flag. A name with one dash keeps it, so that it matches no setting. */
function flagOf(given: string): { name: string; written: string; inline: string | undefined } {
  const end = given.indexOf('=');
  const written = end < 0 ? given : given.slice(0, end);
  const name = written === '-h' ? 'help' : written.startsWith('--') ? written.slice(2) : written;
  return { name, written, inline: end < 0 ? undefined : given.slice(end + 1) };
}

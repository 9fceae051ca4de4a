/**
 * Finds repetitions in regular expressions that can make them slow, for warnings (D37). Nothing is proved: the author
 * of an expression decides whether it is fast.
 */
const TOKEN = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[^]/g;
const isRepetition = (token: string): boolean => /^(?:[*+]|\{\d+,\d*\})$/.test(token);
const isEndless = (token: string): boolean => /^(?:[*+]|\{\d+,\})$/.test(token);

/** True if an expression contains a repetition without a bound: `*`, `+` or `{2,}`. */
export const hasEndless = (source: string): boolean => source.match(TOKEN)?.some(isEndless) ?? false;

/**
 * Returns a warning if an expression has a repetition without a bound around another repetition, such as `(a+)+`;
 * undefined otherwise. `place` names the owner of the expression, `remedy` what can replace it.
 */
export function nestedRepetition(source: string, place: string, remedy: string): string | undefined {
  const open: { readonly start: number; repeats: boolean }[] = [];
  let closed: (typeof open)[number] | undefined;
  for (const { 0: token, index } of source.matchAll(TOKEN)) {
    if (closed?.repeats && isEndless(token)) {
      const attempt = `The expression "${source.slice(closed.start, index + token.length)}" of ${place}`;
      const cause = 'repeats a repetition, so it can take for ever';
      return `${attempt} ${cause}; limit the outer repetition, as in {0,4}, ${remedy}, or ask a checker such as recheck`;
    }
    if (isRepetition(token)) for (const group of open) group.repeats = true;
    if (token === '(') open.push({ start: index, repeats: false });
    closed = token === ')' ? open.pop() : undefined;
  }
  return undefined;
}

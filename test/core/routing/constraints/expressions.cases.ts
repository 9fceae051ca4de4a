/** Expressions that are refused because their time grows exponentially (D31), and the degrees of others (D37). */

/** Each is refused as text and as a `RegExp` with the flag `i`. */
export const REFUSED: readonly string[] = [
  '(a+)+',
  '(a*)*',
  '(a|a)*',
  '(a|b|ab)*',
  '(a|aa)+',
  '([a-z]+)*',
  String.raw`(\w+\s?)*`,
  '(.*)*',
  '(a{1,3})*',
  '(x+x+)+y',
  String.raw`(\d+|[0-9])*`,
  '(?:a+){20}',
  '(a?b?a?)*',
  '((a+)b?)+',
  '(?=(a+)+b)c',
  '(?!(a+)+b)c',
  '(?<=(a+)+b)c',
  '(?<name>a|A)*',
  '([^,]*,?)*',
  String.raw`(.+)+\.(jpg)`,
  '(a|[a-c])+x',
  String.raw`(\w|\d)+`,
  '(a{1,30}){1,30}',
  '(é|É)*',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(д|[а-я])+',
  // Parts that can be empty in two ways.
  '(?:[a-z](?:-?|_?))+',
  '(?:a(?:b?|c?))*d',
  '(?:a(?:|))*b',
  '(?:(?:|)a)*b',
  '(?:(?:a?)+b)*c',
  '(?:(?:a?){2}b)*c',
  String.raw`(?:(?:\b|)b-)*c`,
  // Characters beyond ASCII, in every notation.
  String.raw`(\u3042|\u3042)*b`,
  String.raw`(\u3042|あ)*b`,
  String.raw`(?:\u{10400}|\u{10428})*b`,
  String.raw`(?:[\u0e00-\u0e7f]|[\u0e31-\u0e40])+b`,
  // A reference to a group takes nothing where the group took nothing.
  String.raw`(x?)(?:a\1b|ab)*c`,
  String.raw`(?:a\1b|ab)*(x)`,
  String.raw`(?<n>x?)(?:a\k<n>b|ab)*c`,
  // Counts without an unbounded repeat.
  '((a{1,5}){1,5}){1,5}',
  '(?:a|a){30}',
  '(a?){40}b',
  '(?:|){40}a*',
  '(?:a*b|a*b){25}',
  // Many ways to take nothing at the end.
  'a(?:|){40}',
  'a*(?:$|$){40}',
  // A lookbehind is matched from right to left: the part before an assertion that always fails is never reached.
  '(?<=b^(?:a*)*)c',
  String.raw`.*(?<!b$(?:a*\w?)*)`,
  'a?'.repeat(30) + 'a'.repeat(30),
  // Many ways to look around at each character.
  '(?:(?=(?:a?){40}b)a)*',
  '(?:a(?<!b(?:a?){40}))+',
  // What is tried even on a text without characters.
  '(?:|a?){60}',
  // What stands behind the number of a group is no name.
  String.raw`(a)?\1<(x+x+)+y>`,
  '(a|a)'.repeat(30),
];

/** Expressions that compile, or are exponential, only with certain flags. */
export const REFUSED_WITH_FLAGS: readonly RegExp[] = [
  /(?:[\u0e00-\u0e7f]|\p{L})+/u,
  /(?:\p{Lu}|[à-ý])*x/iu,
  /(?:.|\n)*x/s,
  /(?:a|A)*x/i,
  /(?:\ud83d\ude00|😀)*x/u,
  /(?:😀|\ud83d\ude00)*x/,
  new RegExp(String.raw`(?:\u{2}|u)*c`),
  new RegExp(String.raw`(?:\1|\x01)*c`),
  // Escapes in upper case, and a name without any named group, are their letters.
  new RegExp(String.raw`(?:\X41|\X41)*c`),
  new RegExp(String.raw`(?:\CA|\CA)*c`),
  new RegExp(String.raw`(a)?\k<(x+x+)+y>`),
  /(?:^a\n|a\n)*c/m,
  new RegExp(String.raw`(?:\p{RGI_Emoji})+`, 'v'),
];

/**
 * Expressions that cost no more than their length, and are refused: the rule errs to the safe side (D31, amended). The
 * message names the way out.
 */
export const REFUSED_HARMLESS: readonly (string | RegExp)[] = [
  '(a{1,5}){1,5}',
  String.raw`(\w{1,20}){1,3}`,
  String.raw`(?<=(?:a*)*^b)c`,
  '(a?)*',
  '(?:[a-z0-9](?:[a-z0-9-]{0,5}[a-z0-9])?\\.)+[a-z]{2,}',
  '(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}',
  String.raw`(?:(?=a)\w|(?=b)\w)*c`,
  String.raw`(?:(?!a|b)\w|a)*c`,
  String.raw`(?:\w+\b\s*)*`,
  String.raw`(?:(?:a|\b|)b)*c`,
  String.raw`(?:(?<=a)b|(?<=c)b|[ac])*d`,
  /(?:\p{Lu}|\p{Ll})*1/u,
  new RegExp('(?:[[a-z]--[aeiou]]|[aeiou])*1', 'v'),
  new RegExp(String.raw`\p{RGI_Emoji}`, 'v'),
  /(?:\ud83d\ude00|\ud83d\ude01)*/u,
  /(?:😀|😁)*/,
];

/** Expressions of a route with the degree of their time: of 3 and more they are refused (D37). */
export const DEGREES: readonly (readonly [expression: string | RegExp, degree: number])[] = [
  ['', 0],
  ['list|get|create', 0],
  [String.raw`^\d{3}-\d{4}$`, 0],
  ['[a-z]{2}(-[A-Z]{2})?', 0],
  ['[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{12}', 0],
  [String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}`, 0],
  ['(?:[a-f0-9]{1,4}:){7}[a-f0-9]{1,4}', 1],
  ['(?:(?:|a)b){30}', 1],
  ['.*', 1],
  [String.raw`(?:\d{1,3},)*\d{1,3}`, 1],
  [/(?:.|\n)*x/, 1],
  [/(?:^a\n)*b/m, 1],
  [/(?:a|A)*/, 1],
  [new RegExp(String.raw`(?:\ud8zz\udczz)*`), 1],
  [/(?:\u{2}|u)*c/u, 1],
  [String.raw`\w+\.(jpg|png)`, 1],
  ['(a+b)+', 1],
  [String.raw`(\d{3}-?)*`, 1],
  ['[a-z0-9]+(?:-[a-z0-9]+)*', 1],
  ['([a-z]+-)*[a-z]+', 2],
  ['[^,]+,[^,]+', 1],
  ['(a|b)*', 1],
  ['(ab|cd)+', 1],
  ['a*b*', 1],
  ['(?:ab)*(?:ba)*', 2],
  [String.raw`\d+(\.\d+)?`, 1],
  [String.raw`(?:[a-z0-9]+\.)*[a-z]+`, 2],
  [String.raw`[\]a]+`, 1],
  [String.raw`\p{L}+`, 1],
  [String.raw`(['"])[^'"]*\1`, 2],
  [String.raw`\u{1F600}+`, 1],
  [String.raw`(?=.*[A-Z])(?=.*\d).{8,}`, 1],
  [String.raw`(?:\s*x)?(?:\s*y)?(?:\s*z)?`, 1],
  ['a*a*', 2],
  ['.*.*', 2],
  ['.*(?=.*a)', 2],
  ['(?:(?=a*b)a)*', 2],
  ['.*(?<=a.*)b', 2],
  ['.*=.*', 2],
  // A long count is tried from each character that a repetition leaves to it.
  ['x{0,60000}b', 1],
  ['[^]*?x{0,60000}b', 2],
  ['x*x{1000}b', 2],
  ['.*.*=.*', 3],
  ['.*.*.*=.*', 4],
  ['.{0,600}.{0,600}.{0,600}', 3],
  ['.{0,60}.{0,60}.{0,60}.{0,60}', 4],
  ['(?:a*|(?:|){10})'.repeat(5), 5],
  ['.*.*.*.*.*.*.*', 7],
  ['a*'.repeat(12), 12],
];

/** Patterns of a schema with the degree of the time of a search. */
export const SEARCHES: readonly (readonly [pattern: string, degree: number])[] = [
  ['foo', 1],
  ['^[a-z]+$', 1],
  ['^(a+|b+)$', 1],
  ['(?:^|,)a+$', 2],
  ['[a-z]+1', 2],
  [String.raw`\w+@\w+`, 2],
  ['b+c', 2],
  ['^.*=.*$', 2],
  ['.*=.*', 3],
  ['(?=.*a)b', 2],
];

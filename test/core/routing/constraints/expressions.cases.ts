/** Expressions that are rejected because their time grows exponentially (D31), and the degrees of others (D37). */

/** Splits lines of expressions at blanks. */
const listed = (lines: TemplateStringsArray): string[] => lines.raw[0]!.trim().split(/\s+/);

/** Each is rejected as a text and as a `RegExp` with the flag `i`. */
export const REJECTED: readonly string[] = [
  ...listed`(a+)+ (a*)* (a|a)* (a|b|ab)* (a|aa)+ ([a-z]+)* (\w+\s?)* (.*)* (a{1,3})* (x+x+)+y (\d+|[0-9])* (?:a+){20}
    (a?b?a?)* ((a+)b?)+ (?=(a+)+b)c (?!(a+)+b)c (?<=(a+)+b)c (?<name>a|A)* ([^,]*,?)* (.+)+\.(jpg) (a|[a-c])+x
    (\w|\d)+ (a{1,30}){1,30} (é|É)* ^(([a-z])+.)+[A-Z]([a-z])+$ (д|[а-я])+`,
  // Parts that can be empty in two ways.
  ...listed`(?:[a-z](?:-?|_?))+ (?:a(?:b?|c?))*d (?:a(?:|))*b (?:(?:|)a)*b (?:(?:a?)+b)*c (?:(?:a?){2}b)*c
    (?:(?:\b|)b-)*c`,
  // Characters outside ASCII, in every notation.
  ...listed`(\u3042|\u3042)*b (\u3042|あ)*b (?:\u{10400}|\u{10428})*b (?:[\u0e00-\u0e7f]|[\u0e31-\u0e40])+b`,
  // A reference to a group is empty if the group matched nothing.
  ...listed`(x?)(?:a\1b|ab)*c (?:a\1b|ab)*(x) (?<n>x?)(?:a\k<n>b|ab)*c`,
  // Counts without an unbounded repeat.
  ...listed`((a{1,5}){1,5}){1,5} (?:a|a){30} (a?){40}b (?:|){40}a* (?:a*b|a*b){25}`,
  // Many ways to match the empty text at the end.
  ...listed`a(?:|){40} a*(?:$|$){40}`,
  // A lookbehind is matched from right to left, so the part before an assertion that always fails is never reached.
  ...listed`(?<=b^(?:a*)*)c .*(?<!b$(?:a*\w?)*)`,
  'a?'.repeat(30) + 'a'.repeat(30),
  // Many ways to look around at each character.
  ...listed`(?:(?=(?:a?){40}b)a)* (?:a(?<!b(?:a?){40}))+`,
  // An expression whose ways are tried even on an empty text.
  '(?:|a?){60}',
  // Text after the number of a group is not a name.
  String.raw`(a)?\1<(x+x+)+y>`,
  '(a|a)'.repeat(30),
];

/** Expressions that compile, or are exponential, only with certain flags. */
export const REJECTED_WITH_FLAGS: readonly RegExp[] = [
  /(?:[\u0e00-\u0e7f]|\p{L})+/u,
  /(?:\p{Lu}|[à-ý])*x/iu,
  /(?:.|\n)*x/s,
  /(?:a|A)*x/i,
  /(?:\ud83d\ude00|😀)*x/u,
  /(?:😀|\ud83d\ude00)*x/,
  new RegExp(String.raw`(?:\u{2}|u)*c`),
  new RegExp(String.raw`(?:\1|\x01)*c`),
  // Escapes in upper case, and a name without any named group, match their letters.
  new RegExp(String.raw`(?:\X41|\X41)*c`),
  new RegExp(String.raw`(?:\CA|\CA)*c`),
  new RegExp(String.raw`(a)?\k<(x+x+)+y>`),
  /(?:^a\n|a\n)*c/m,
  new RegExp(String.raw`(?:\p{RGI_Emoji})+`, 'v'),
];

/** Harmless expressions that the rule rejects nevertheless (D31, amended). The message has the remedy. */
export const REJECTED_HARMLESS: readonly (string | RegExp)[] = [
  ...listed`(a{1,5}){1,5} (\w{1,20}){1,3} (?<=(?:a*)*^b)c (a?)* (?:[a-z0-9](?:[a-z0-9-]{0,5}[a-z0-9])?\.)+[a-z]{2,}
    (?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,} (?:(?=a)\w|(?=b)\w)*c (?:(?!a|b)\w|a)*c (?:\w+\b\s*)*
    (?:(?:a|\b|)b)*c (?:(?<=a)b|(?<=c)b|[ac])*d`,
  /(?:\p{Lu}|\p{Ll})*1/u,
  new RegExp('(?:[[a-z]--[aeiou]]|[aeiou])*1', 'v'),
  new RegExp(String.raw`\p{RGI_Emoji}`, 'v'),
  /(?:\ud83d\ude00|\ud83d\ude01)*/u,
  /(?:😀|😁)*/,
];

/** Expressions of a route by the degree of their time. A degree of 3 or more is rejected (D37). */
const BY_DEGREE: Readonly<Record<number, readonly (string | RegExp)[]>> = {
  0: [
    ...['', 'list|get|create'],
    ...listed`^\d{3}-\d{4}$ [a-z]{2}(-[A-Z]{2})? [a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{12}
      (?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}`,
  ],
  1: [
    ...listed`(?:[a-f0-9]{1,4}:){7}[a-f0-9]{1,4} (?:(?:|a)b){30} .* (?:\d{1,3},)*\d{1,3} \w+\.(jpg|png) (a+b)+ (\d{3}-?)*
      [a-z0-9]+(?:-[a-z0-9]+)* [^,]+,[^,]+ (a|b)* (ab|cd)+ a*b* \d+(\.\d+)? [\]a]+ \p{L}+ \u{1F600}+
      (?=.*[A-Z])(?=.*\d).{8,} (?:\s*x)?(?:\s*y)?(?:\s*z)?`,
    ...[/(?:.|\n)*x/, /(?:^a\n)*b/m, /(?:a|A)*/, new RegExp(String.raw`(?:\ud8zz\udczz)*`), /(?:\u{2}|u)*c/u],
    // A long count is tried from each character that an earlier repetition does not match.
    'x{0,60000}b',
  ],
  2: listed`([a-z]+-)*[a-z]+ (?:ab)*(?:ba)* (?:[a-z0-9]+\.)*[a-z]+ (['"])[^'"]*\1 a*a* .*.* .*(?=.*a) (?:(?=a*b)a)*
    .*(?<=a.*)b .*=.* [^]*?x{0,60000}b x*x{1000}b`,
  3: listed`.*.*=.* .{0,600}.{0,600}.{0,600}`,
  4: listed`.*.*.*=.* .{0,60}.{0,60}.{0,60}.{0,60}`,
  5: ['(?:a*|(?:|){10})'.repeat(5)],
  7: ['.*.*.*.*.*.*.*'],
  12: ['a*'.repeat(12)],
};
export const DEGREES = Object.entries(BY_DEGREE).flatMap(([degree, expressions]) =>
  expressions.map((expression) => [expression, Number(degree)] as const),
);

/** Patterns of a schema, with the degree of the time of a search. */
export const SEARCHES: readonly (readonly [pattern: string, degree: number])[] = [
  ...listed`foo ^[a-z]+$ ^(a+|b+)$`.map((pattern) => [pattern, 1] as const),
  ...listed`(?:^|,)a+$ [a-z]+1 \w+@\w+ b+c ^.*=.*$ (?=.*a)b`.map((pattern) => [pattern, 2] as const),
  ['.*=.*', 3],
];

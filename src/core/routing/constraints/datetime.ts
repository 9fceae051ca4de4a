/**
 * Decides which values are dates or times (rule C.8), with English names and the month before the day.
 *
 *     text  := ( date | time | weekday | zone | "," | "." )*     at least a date or a time; only "," and "." may repeat
 *     date  := two or three of N, Y and M, with at most one Y and one M; between them "/", "-", blanks, "," or "."
 *     time  := N ":" N ( ":" N ( "." digit+ )? )? mark? | N mark            mark := "AM" | "PM"
 *     zone  := "Z" | "GMT" | ( "+" | "-" ) ( h | hh | hmm | hhmm | h ":" m )
 *     iso   := date with the year first, "T" hh ":" mm ( ":" ss ( "." digit+ )? )? zone?
 *     N is a number of 1 or 2 digits, Y a number of 3 to 8 digits, M the name of a month
 *
 * `3.14` is the 14th of March of this year, and `Apr 5` is the 5th of April. In `5 Apr` the number is a year: it is
 * April 2005. `20090512` is not a date. `Date.parse` follows other rules.
 */

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

/** The replacement of each word: `m5` for May, `w0` for Sunday. Names are written in full or with three letters. */
const WORDS = new Map([
  ...['am', 'pm', 'z'].map((word) => [word, word] as const),
  ...[['gmt', 'z'] as const, ['ad', ','] as const],
  ...MONTHS.flatMap((name, at) => [name, name.slice(0, 3)].map((word) => [word, ` m${at + 1} `] as const)),
  ...WEEKDAYS.flatMap((name, at) => [name, name.slice(0, 3)].map((word) => [word, ` w${at} `] as const)),
]);
/** `-` is the sign of a zone if it follows a time, or if hours and minutes follow it. Otherwise it is a separator. */
const ZONE = /z|(\+|(?<=:\d\d?(?: ?[ap]m)?)-|-(?=\d\d?:))(\d\d?)(?::(\d\d?)|(\d\d))?(?![\d:])/;
const WEEKDAY = /w(\d)/;
const PART = '(?:m\\d+|\\d{1,8})\\b';
const DATE = `(?<date>${PART}[-/ ]${PART}(?:[-/ ]${PART})?)`;
const TIME = '(?<time>\\d\\d?(?::\\d\\d?){1,2}(?!\\d)|\\d\\d?(?: \\d\\d?){0,2}(?= ?[ap]m)) ?(?<mark>[ap]m)?';
const DATE_FIRST = new RegExp(`^(?:${DATE} ?)?(?:${TIME})?$`);
const TIME_FIRST = new RegExp(`^${TIME} ?${DATE}$`);
const ISO = /^\d{3,8}[-/ ]\d\d?[-/ ]\d\d? ?t ?\d\d ?: ?\d\d(?: ?: ?\d\d(?:\.\d+)?)? ?(?:z|[+-][\d:]+)?$/;
const END_OF_TIME = Date.UTC(10_000, 0);

/** True for a date, a time, or both. */
export function isDate(text: string): boolean {
  const plain = withoutPadding(text)
    .replace(/[a-z]+/g, (word) => WORDS.get(word) ?? '?')
    .replace(/(?<=:\d\d? ?: ?\d\d?)\.\d*/, '')
    .replace(/ +(?=[/:-])|(?<=[/:-])[ .,]+/g, '');
  const [, weekday] = WEEKDAY.exec(plain) ?? [];
  const zone = zoneMinutes(ZONE.exec(plain) ?? []);
  const rest = plain
    .replace(WEEKDAY, ' ')
    .replace(ZONE, ' ')
    .replace(/[ .,]+/g, ' ')
    .replace(/^ | $/g, '');
  const { date, time, mark } = (DATE_FIRST.exec(rest) ?? TIME_FIRST.exec(rest))?.groups ?? {};
  if (date === undefined && time === undefined) return false;
  const day = date === undefined ? undefined : dayIn(date);
  const minutes = minutesOf(time ?? '0', mark);
  if ((date !== undefined && day === undefined) || minutes === undefined || zone === undefined) return false;
  if (day !== undefined && day.getTime() + (minutes - zone) * 60_000 >= END_OF_TIME) return false;
  return weekday === undefined || Number(weekday) === (day === undefined ? new Date().getDay() : day.getUTCDay());
}

/**
 * Returns the text in lower case, with one blank for each run of white space, without U+0000 at its end or `#` around
 * it, and with a blank in place of the `T` of an ISO form.
 */
function withoutPadding(text: string): string {
  const end = text.indexOf('\0');
  const shown = end >= 0 && /^\0*$/.test(text.slice(end)) ? text.slice(0, end) : text;
  const single = shown.toLowerCase().replace(/(?:[^\S\ufeff]|\x85|a\.d\.)+/g, ' ');
  const [, inHashes, bare] = /^ ?(?:# ?([^#]*?) ?#|(.*?)) ?$/.exec(single)!;
  const inner = inHashes ?? bare!;
  return ISO.test(inner) ? inner.replace('t', ' ') : inner;
}

/** Returns the day of a date, at midnight UTC; undefined if it does not exist. */
function dayIn(date: string): Date | undefined {
  const parts = date.split(/[-/ ]/);
  const numbers = parts.filter((part) => /^\d\d?$/.test(part)).map(Number);
  const names = parts.filter((part) => part.startsWith('m'));
  const years = parts.filter((part) => /^\d{3}/.test(part));
  if (names.length > 1 || years.length > 1) return undefined;
  const thisYear = new Date().getFullYear();
  const [first = 1, second, third] = numbers;
  const year = years.map(Number)[0];
  const month = names.map((name) => Number(name.slice(1)))[0];
  if (month === undefined) return dayOf(year ?? (third === undefined ? thisYear : fullYear(third)), first, second ?? 1);
  if (year !== undefined) return dayOf(year, month, first);
  if (second !== undefined) return dayOf(fullYear(second), month, first) ?? dayOf(fullYear(first), month, second);
  return parts[0] === names[0] ? dayOf(thisYear, month, first) : dayOf(fullYear(first), month, 1);
}

/** 00 to 29 belong to this century, 30 to 99 to the last. */
const fullYear = (year: number): number => (year < 30 ? 2000 : 1900) + year;

/** Returns a day of the Gregorian calendar, which is extended backwards to year 1; undefined if it does not exist. */
function dayOf(year: number, month: number, day: number): Date | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && year < 10_000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : undefined;
}

/** Returns the minute of the day; undefined if it does not exist. */
function minutesOf(time: string, mark: string | undefined): number | undefined {
  const [hour = 0, minute = 0, second = 0] = time.split(/[: ]/).map(Number);
  if (hour > (mark === 'am' ? 12 : 23) || minute > 59 || second > 59) return undefined;
  return ((mark === undefined ? hour : (hour % 12) + (mark === 'pm' ? 12 : 0)) % 24) * 60 + minute;
}

/** Returns the difference from UTC in minutes; undefined if it is more than 14 hours. */
function zoneMinutes([, sign, hours, minutes, pair]: readonly (string | undefined)[]): number | undefined {
  const difference = Number(hours ?? 0) * 60 + Number(minutes ?? pair ?? 0);
  if (Number(minutes ?? pair ?? 0) > 59 || difference > 14 * 60) return undefined;
  return sign === '-' ? -difference : difference;
}

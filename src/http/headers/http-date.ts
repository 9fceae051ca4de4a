/**
 * Dates as header lines write them (RFC 9110 §5.6.7).
 *
 * `Date.parse` takes far more than HTTP does and reads the form without a zone as local time, so that a server in Tokyo
 * would think a copy newer than it is. A date that is no HTTP date must be ignored (§13.1.3), not guessed at.
 */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = String.raw`(?<time>\d\d:\d\d:\d\d)`;
const FORMS = [
  new RegExp(String.raw`^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<short>\d\d) ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) ${TIME} (?<year>\d{4})$`),
];

/** The date as milliseconds since 1970, or undefined for what is none of the three forms of an HTTP date. */
export function parseHttpDate(text: string): number | undefined {
  for (const form of FORMS) {
    const found = form.exec(text)?.groups;
    if (found === undefined) continue;
    const month = MONTHS.indexOf(found['month']!);
    const year = found['year'] === undefined ? fullYear(Number(found['short'])) : Number(found['year']);
    const [hour, minute, second] = found['time']!.split(':').map(Number) as [number, number, number];
    const day = Number(found['day']),
      date = new Date(Date.UTC(year, month, day));
    // `Date.UTC` takes the 31st of February for the 3rd of March. A second of 60 is a leap second.
    if (month < 0 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 60) return undefined;
    return Date.UTC(year, month, day, hour, minute, second);
  }
  return undefined;
}

/** A year of two digits is the past one when it would lie more than fifty years ahead (§5.6.7). */
function fullYear(short: number): number {
  const now = new Date().getUTCFullYear();
  const year = now - (now % 100) + short;
  return year > now + 50 ? year - 100 : year;
}

/** Milliseconds since 1970 as an HTTP date. */
export const httpDate = (time: number): string => new Date(time).toUTCString();

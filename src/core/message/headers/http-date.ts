/**
 * Reads and writes the dates of headers (RFC 9110 §5.6.7).
 *
 * `Date.parse` accepts many other forms, and takes a date without a zone for local time. A text that is no HTTP date
 * has to be ignored (§13.1.3).
 */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = String.raw`(?<time>\d\d:\d\d:\d\d)`;
const FORMS = [
  new RegExp(String.raw`^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<short>\d\d) ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) ${TIME} (?<year>\d{4})$`),
];

/** Milliseconds since 1970; undefined for a text that has none of the three forms of an HTTP date. */
export function parseHttpDate(text: string): number | undefined {
  for (const form of FORMS) {
    const found = form.exec(text)?.groups;
    if (found === undefined) continue;
    const month = MONTHS.indexOf(found['month']!);
    const year = found['year'] === undefined ? fullYear(Number(found['short'])) : Number(found['year']);
    const [hour, minute, second] = found['time']!.split(':').map(Number) as [number, number, number];
    const day = Number(found['day']);
    const date = new Date(Date.UTC(year, month, day));
    // `Date.UTC` turns the 31st of February into the 3rd of March. The second 60 is a leap second.
    if (month < 0 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 60) return undefined;
    return Date.UTC(year, month, day, hour, minute, second);
  }
  return undefined;
}

/** A two-digit year that would be more than fifty years in the future is one of the past (§5.6.7). */
function fullYear(short: number): number {
  const now = new Date().getUTCFullYear();
  const year = now - (now % 100) + short;
  return year > now + 50 ? year - 100 : year;
}

/** Writes milliseconds since 1970 as an HTTP date. */
export const httpDate = (time: number): string => new Date(time).toUTCString();

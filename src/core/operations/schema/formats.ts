/**
 * Checks the formats of schemas: texts by RFC 3339, 3986, 5321 and 9562, numbers by their size.
 *
 * `password`, `float` and `double` are hints for people and generators and check nothing.
 */
import { isIPv6 } from 'node:net';
import type { Formats } from './schema.ts';

type FormatCheck = (value: unknown) => boolean;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i;
/** February has 29 only in a leap year. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i;
/** RFC 5321 §4.5.3.1.3: 256 octets with the angle brackets. The limit also bounds the time of the expression. */
const MAX_EMAIL = 254;

const PATH_CHARACTER = "(?:[\\w.~!$&'()*+,;=:@/-]|%[\\da-f]{2})";
const URI = new RegExp(
  `^[a-z][a-z\\d+.-]*:(?://(?:(?:[\\w.~!$&'()*+,;=:-]|%[\\da-f]{2})*@)?(?:\\[([^\\]]*)\\]|(?:[\\w.~!$&'()*+,;=-]|%[\\da-f]{2})*)(?::\\d*)?(?=[/?#]|$)|(?!//))${PATH_CHARACTER}*(?:\\?(?:${PATH_CHARACTER}|\\?)*)?(?:#(?:${PATH_CHARACTER}|\\?)*)?$`,
  'i',
);

const always: FormatCheck = () => true;
const text =
  (check: (text: string) => boolean): FormatCheck =>
  (value) =>
    check(value as string);

/** The formats by the type of the schema. */
export const FORMATS: Readonly<Record<string, Readonly<Record<string, FormatCheck>>>> = {
  string: {
    uuid: text((value) => UUID.test(value)),
    date: text((value) => DATE.test(value) && hasDay(value)),
    'date-time': text((value) => DATE_TIME.test(value) && hasDay(value) && hasTime(value)),
    email: text((value) => value.length <= MAX_EMAIL && EMAIL.test(value)),
    uri: text(isUri),
    password: always,
  },
  integer: {
    int32: (value) => value === ((value as number) | 0),
    // The largest double below 2^63 is 1,024 less.
    int64: (value) => (value as number) >= -(2 ** 63) && (value as number) < 2 ** 63,
  },
  number: { float: always, double: always },
} satisfies { readonly [Type in keyof Formats]: Readonly<Record<Formats[Type], FormatCheck>> };

/** Whether the text begins with a day of the proleptic Gregorian calendar (RFC 3339 §5.6 `full-date`). */
function hasDay(value: string): boolean {
  const year = Number(value.slice(0, 4));
  const month = Number(value.slice(5, 7));
  const day = Number(value.slice(8, 10));
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (month === 2 && !isLeapYear ? 28 : (DAYS[month - 1] ?? 0));
}

/** Whether a `date-time` has a time of a day. Second 60 is one at the end of a day in UTC only (RFC 3339 §5.7). */
function hasTime(value: string): boolean {
  const hour = Number(value.slice(11, 13));
  const minute = Number(value.slice(14, 16));
  const second = Number(value.slice(17, 19));
  const isUtc = /z$/i.test(value);
  const offsetHour = isUtc ? 0 : Number(value.slice(-5, -3));
  const offsetMinute = isUtc ? 0 : Number(value.slice(-2));
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (value.at(-6) === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  return (hour * 60 + minute - offset + 2 * 1440) % 1440 === 1439;
}

/** An absolute URI, with or without a fragment (RFC 3986 §3). Its addresses have no zone, which `isIPv6` allows. */
function isUri(value: string): boolean {
  const parts = URI.exec(value);
  if (parts === null) return false;
  const address = parts[1];
  return (
    address === undefined ||
    /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(address) ||
    (!address.includes('%') && isIPv6(address))
  );
}

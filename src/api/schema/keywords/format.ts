/**
 * Checks the formats of schemas: texts by RFC 3339, 3986, 5321 and 9562, numbers by their size.
 *
 * `password`, `float` and `double` are hints for people and generators and check nothing.
 */
import { isIPv6 } from 'node:net';
import type { Formats } from '../declaration/keywords.ts';

type FormatCheck = (value: unknown) => boolean;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i;
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
    date: text(isDate),
    'date-time': text(isDateTime),
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

/** A day of the proleptic Gregorian calendar (RFC 3339 §5.6 `full-date`). */
function isDate(value: string): boolean {
  const parts = DATE.exec(value);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return month >= 1 && month <= 12 && day >= 1 && day <= days;
}

/** RFC 3339 §5.6 `date-time`. Second 60 is allowed at the end of a day in UTC only (§5.7). */
function isDateTime(value: string): boolean {
  if (!/^.{10}[t ]/i.test(value) || !isDate(value.slice(0, 10))) return false;
  const parts = TIME.exec(value.slice(11));
  if (parts === null) return false;
  const [hour, minute, second] = [1, 2, 3].map((at) => Number(parts[at])) as [number, number, number];
  const [offsetHour, offsetMinute] = [Number(parts[5] ?? 0), Number(parts[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (parts[4] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  return (hour * 60 + minute - offset + 2 * 1440) % 1440 === 1439;
}

/** An absolute URI, with or without a fragment (RFC 3986 §3). */
function isUri(value: string): boolean {
  const parts = URI.exec(value);
  if (parts === null) return false;
  const address = parts[1];
  return address === undefined || /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(address) || isIPv6(address);
}

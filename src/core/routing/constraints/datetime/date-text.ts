/**
 * Decides which values are dates or times (reference C.8), in the invariant culture, with the month before the day.
 *
 *     text  := ( date | time | weekday | zone | "," | "." )*     at most one of each, at least a date or a time
 *     date  := N N N (month day year) | N N Y | Y N N | N N (of this year) | Y N | N Y
 *            | M N (day) | N M (year!) | M N N | N M N | M N Y | N M Y | Y M N | M Y | Y M
 *     time  := N ":" N ( ":" N ( "." digit+ )? )? mark? | N mark            mark := "AM" | "PM"
 *     zone  := "Z" | "GMT" | ( "+" | "-" ) ( h | hh | hmm | hhmm | h ":" m )
 *     iso   := date with the year first, "T" hh ":" mm ( ":" ss ( "." digit+ )? )? zone?
 *     N is a number of 1 or 2 digits, Y one of 3 to 8, M the name of a month; between them "/", "-", blanks, "," or "."
 *
 * `3.14` is the 14th of March of this year, `5 Apr` is April 2005, and `20090512` is no date. `Date.parse` follows
 * other rules.
 */
import { DateReader } from './date-reader.ts';
import { type DateShape, nextState, type State, type TimeShape } from './date-states.ts';

/** `#12/25/2009#` is read without its hashes. */
const HASHES = /^\s*#([^#]*)#\s*$/;
const MAX_ZONE_MINUTES = 14 * 60;

/** A day of the Gregorian calendar, which is extended backwards to year 1. Months and days count from 1. */
interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

type Numbers = [number, number, number];

/** The day that the numbers, the year and the month of a date mean. */
const DAY_OF_SHAPE: Readonly<Record<DateShape, (numbers: Numbers, year: number, month: number) => Day | undefined>> = {
  'NN!': ([month, day]) => dayOf(thisYear(), month, day),
  'NNN!': ([month, day, year]) => dayOf(fullYear(year), month, day),
  'NNY!': ([month, day], year) => dayOf(year, month, day),
  'YNN!': ([month, day], year) => dayOf(year, month, day),
  'YN!': ([month], year) => dayOf(year, month, 1),
  'YM!': (_, year, month) => dayOf(year, month, 1),
  'YMN!': ([day], year, month) => dayOf(year, month, day),
  'MN!': ([day], _, month) => dayOf(thisYear(), month, day),
  'NM!': ([year], _, month) => dayOf(fullYear(year), month, 1),
  'MNN!': ([one, other], _, month) => dayOf(fullYear(other), month, one) ?? dayOf(fullYear(one), month, other),
};

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The day of these numbers, or undefined where there is none. */
function dayOf(year: number, month: number, day: number): Day | undefined {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1) return undefined;
  return day <= (month === 2 && isLeap(year) ? 29 : DAYS[month - 1]!) ? { year, month, day } : undefined;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const thisYear = (): number => new Date().getFullYear();

/** 00 to 29 belong to this century, 30 to 99 to the last. */
const fullYear = (year: number): number => (year < 30 ? 2000 : 1900) + year;

const dayIn = (shape: DateShape, { numbers, year, month }: DateReader): Day | undefined =>
  DAY_OF_SHAPE[shape](numbers as Numbers, year!, month!);

/** Is this text a date, a time, or both? */
export function isDate(text: string): boolean {
  const reader = new DateReader(HASHES.exec(text)?.[1] ?? text);
  const moment: Moment = {};
  let state: State = 'start';
  for (;;) {
    const token = reader.read(state);
    if (token === undefined) return false;
    if (token === 'skip') continue;
    if (token === 'iso') return isIsoDate(reader, state);
    const next = nextState(state, token);
    if (next === undefined) return false;
    if (isWhole(next)) {
      if (!add(moment, next, reader)) return false;
      reader.numbers.length = 0;
      state = 'start';
    } else state = next;
    if (token === 'end') return isPossible(moment, reader);
  }
}

/** The date and the time that have been read. */
interface Moment {
  day?: Day | undefined;
  hour?: number;
}

const isWhole = (next: State | DateShape | TimeShape): next is DateShape | TimeShape => next.endsWith('!');

/** Adds a whole date or time. False where there is one already, or where there is no such day or time. */
function add(moment: Moment, shape: DateShape | TimeShape, reader: DateReader): boolean {
  const [first, second = 0, third = 0] = reader.numbers;
  if (shape === 't!') return second < 60 && third < 60 && addHour(moment, first!);
  return shape === 'NNt!' ? addDay(moment, 'NN!', reader) && addHour(moment, third) : addDay(moment, shape, reader);
}

function addHour(moment: Moment, hour: number): boolean {
  if (moment.hour !== undefined) return false;
  moment.hour = hour;
  return true;
}

function addDay(moment: Moment, shape: DateShape, reader: DateReader): boolean {
  if (moment.day !== undefined) return false;
  moment.day = dayIn(shape, reader);
  return moment.day !== undefined;
}

function isIsoDate(reader: DateReader, state: State): boolean {
  if (state !== 'YN' && state !== 'YN-') return false;
  const day = dayIn('YNN!', reader);
  const hour = reader.readIsoTime();
  return day !== undefined && hour !== undefined && isInRange(day, hour, reader.zone);
}

function isPossible({ day, hour }: Moment, { mark, zone, weekday }: DateReader): boolean {
  if (day === undefined && hour === undefined) return false;
  const hours = hourOfDay(hour ?? 0, mark);
  if (hours === undefined || !isInRange(day, hours, zone)) return false;
  return weekday === undefined || weekday === (day ? weekdayOf(day) : new Date().getDay());
}

/** The day of the week; 0 is Sunday. */
function weekdayOf({ year, month, day }: Day): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCDay();
}

/** From 0 to 23. */
function hourOfDay(hour: number, mark: string | undefined): number | undefined {
  if (hour > (mark === 'am' ? 12 : 23)) return undefined;
  if (mark === 'am') return hour % 12;
  return mark === 'pm' && hour < 12 ? hour + 12 : hour;
}

/** Is the zone at most 14 hours, and does it leave the moment in the years 1 to 9999? */
function isInRange(day: Day | undefined, hour: number, zone = 0): boolean {
  if (Math.abs(zone) > MAX_ZONE_MINUTES) return false;
  const isLastDay = day?.year === 9999 && day.month === 12 && day.day === 31;
  return !isLastDay || hour * 60 - zone < 24 * 60;
}

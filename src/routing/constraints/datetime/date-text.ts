/**
 * Which texts are dates or times (reference C.8): invariant culture, month before day, and very much allowed.
 *
 *     text  := ( date | time | weekday | zone | "," | "." )*     at most one of each, at least a date or a time
 *     date  := N N N (month day year) | N N Y | Y N N | N N (of this year) | Y N | N Y
 *            | M N (day) | N M (year!) | M N N | N M N | M N Y | N M Y | Y M N | M Y | Y M
 *     time  := N ":" N ( ":" N ( "." digit+ )? )? mark? | N mark            mark := "AM" | "PM"
 *     zone  := "Z" | "GMT" | ( "+" | "-" ) ( h | hh | hmm | hhmm | h ":" m )
 *     iso   := date with the year first, "T" hh ":" mm ( ":" ss ( "." digit+ )? )? zone?
 *     N is a number of 1 or 2 digits, Y one of 3 to 8, M the name of a month; between them "/", "-", blanks, "," or "."
 *
 * `3.14` is a date, the 14th of March of this year; `5 Apr` is April 2005; `20090512` is no date. `Date.parse` knows none of this.
 * The grammar is read by the table of states in `date-states.ts`, which is how the described system has it.
 */
import { DateReader } from './date-reader.ts';
import type { State } from './date-states.ts';
import { NEXT } from './date-states.ts';
import { dayOfWeek, isDay } from './gregorian-calendar.ts';

/** Is this a date, a time, or both? */
export function isDate(text: string): boolean {
  const reader = new DateReader(withoutHashes(text));
  let state: State = 'start';
  let finished = false;
  let day: Day | undefined;
  let hour: number | undefined;
  for (;;) {
    const token = reader.next(state);
    if (token === undefined) return false;
    if (token === 'skip') continue;
    if (token === 'iso') {
      const time = state === 'YN' || state === 'YN-' ? reader.isoTime() : undefined;
      const [month, date] = reader.numbers;
      return (
        time !== undefined &&
        isDay(reader.year!, month!, date!) &&
        inRange({ year: reader.year!, month: month!, day: date! }, time, reader) &&
        fitsWeekday(reader, { year: reader.year!, month: month!, day: date! }, true)
      );
    }
    const next: State | undefined = NEXT[state][token];
    if (next === undefined) return false;
    state = next;
    if (next.endsWith('!')) {
      const [first, second, third] = reader.numbers;
      if (next === 'NNt!') {
        if (day !== undefined || hour !== undefined) return false;
        day = dayOf('NN!', reader);
        if (day === undefined) return false;
        hour = third!;
      } else if (next.startsWith('t')) {
        if (hour !== undefined || (next === 't1!' && reader.mark === undefined)) return false;
        hour = first!;
        if ((second ?? 0) > 59 || (third ?? 0) > 59) return false;
      } else {
        const found = dayOf(next, reader);
        if (found === undefined || day !== undefined) return false;
        day = found;
      }
      finished = true;
      reader.numbers.length = 0;
      state = 'start';
    }
    if (token === 'end' || token === 'number' || token === 'month') break;
  }
  if (!finished) return false;
  let hours = hour ?? 0;
  if (reader.mark === 'am') {
    if (hours > 12) return false;
    hours %= 12;
  }
  if (hours > 23) return false;
  if (reader.mark === 'pm' && hours < 12) hours += 12;
  return inRange(day, hours, reader) && fitsWeekday(reader, day, false);
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The day that the numbers and names of a finished shape mean, if there is such a day. */
function dayOf(shape: State, { numbers, year: Y, month: M }: DateReader): Day | undefined {
  const [first, second, third] = numbers as [number, number, number];
  const thisYear = new Date().getFullYear();
  const day = (year: number, month: number, date: number): Day | undefined =>
    isDay(year, month, date) ? { year, month, day: date } : undefined;
  switch (shape) {
    case 'NN!':
      return day(thisYear, first, second);
    case 'NNN!':
      return day(full(third), first, second);
    case 'NNY!':
    case 'YNN!':
      return day(Y!, first, second);
    case 'YN!':
      return day(Y!, first, 1);
    case 'YM!':
      return day(Y!, M!, 1);
    case 'YMN!':
      return day(Y!, M!, first);
    case 'MN!':
      return day(thisYear, M!, first);
    case 'NM!':
      return day(full(first), M!, 1);
    default:
      return day(full(second), M!, first) ?? day(full(first), M!, second); // MNN!
  }
}

/** 00–29 are of this century, 30–99 of the last. */
const full = (year: number): number => (year < 30 ? 2000 + year : year < 100 ? 1900 + year : year);

/** A zone of at most 14 hours, which does not move the moment out of the years 1 to 9999. */
function inRange(day: Day | undefined, hour: number, { zone }: DateReader): boolean {
  if (zone === undefined) return true;
  if (Math.abs(zone) > 14 * 60) return false;
  if (day === undefined) return true;
  if (day.year === 9999 && day.month === 12 && day.day === 31) return hour * 60 - zone < 24 * 60;
  return true;
}

function fitsWeekday({ weekday }: DateReader, day: Day | undefined, iso: boolean): boolean {
  if (weekday === undefined || iso) return true;
  if (day) return dayOfWeek(day.year, day.month, day.day) === weekday;
  return new Date().getDay() === weekday;
}

/** `#12/25/2009#` is what it is without its two hashes. */
function withoutHashes(text: string): string {
  const found = /^\s*#([^#]*)#\s*$/.exec(text);
  return found ? found[1]! : text;
}

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
import { isWhiteSpace } from '../text.ts';

/** What follows a number, a month or a year. The second AM or PM of a text is a `second mark`. */
type Separator = 'end' | 'mark' | 'second mark' | 'space' | 'date' | 'dash' | 'time' | 'T';
const SEPARATORS: Readonly<Record<string, Separator>> = { '/': 'date', '-': 'dash', ':': 'time' };

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

/** The index of a name that is given in full or by its first three letters, or -1. */
const indexIn = (names: readonly string[], word: string): number =>
  names.findIndex((name) => word === name || word === name.slice(0, 3));

const DIGITS = /\d+/y;
const ERA = /a\.d\.(?!\p{L})/iuy;
const FRACTION = /\.\d*/y;
const ISO_TIME = /\s*(\d\d)\s*:\s*(\d\d)\s*(?::\s*(\d\d)(?:\.\d+)?\s*)?/y;
const MEANINGLESS = /[.,]/y;
const NULLS = /\0*$/y;
const T_OR_MARK = /(?:t|[ap]m)(?!\p{L})/iuy;
const WORD = /\p{L}+/uy;
const Z = /z/iy;
const ZONE = /([+-])(?:(\d{1,2})(?::(\d{1,2})(?!\d)|(?![\d:]))|(\d{1,2})(\d\d)(?!\d))/y;

const isTime = (state: State): boolean => state === 't:' || state === 't::';

/** Reads a text token by token and keeps the values that it has read. */
class DateReader {
  /** The numbers of one or two digits since the last whole date or time. */
  readonly numbers: number[] = [];
  year?: number;
  /** From 1. */
  month?: number;
  /** 0 is Sunday. */
  weekday?: number;
  mark?: string;
  /** The difference from UTC in minutes. */
  zone?: number;
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next token, `skip` for one without meaning, `iso` before an ISO time, or undefined where there is none. */
  read(state: State): Token | 'skip' | 'iso' | undefined {
    this.#skipSpace();
    if (this.#isAtEnd()) return 'end';
    const digits = this.#take(DIGITS);
    if (digits) return this.#number(digits[0], state);
    if (this.#take(MEANINGLESS)) return 'skip';
    if (this.#take(ERA)) return 'era';
    const word = this.#take(WORD);
    if (word) return this.#word(word[0].toLowerCase(), state);
    return this.zone === undefined && this.#readZone() ? 'skip' : undefined;
  }

  /** Reads the time after the `T` of an ISO date up to the end. The hour, or undefined where it is no such time. */
  readIsoTime(): number | undefined {
    const found = this.#take(ISO_TIME);
    if (!found) return undefined;
    const [, hour, minute, second = 0] = found;
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
    if (this.#take(Z)) this.zone = 0;
    else if (this.#isAtSign() && !this.#readZone()) return undefined;
    this.#skipSpace();
    return this.#isAtEnd() ? Number(hour) : undefined;
  }

  #number(digits: string, state: State): Token | 'skip' | 'iso' | undefined {
    if (this.numbers.length === 3 || digits.length > 8) return undefined;
    if (state === 't::') this.#take(FRACTION);
    if (isTime(state) && !this.#readZoneIfAny()) return undefined;
    if (digits.length > 2) return this.#year(Number(digits), state);
    const separator = this.#separatorOf('number', state);
    const isMark = separator === 'mark' || separator === 'second mark';
    if (isMark && isTime(state) && !this.#readZoneIfAny()) return undefined;
    // A number with a second mark is ignored: "5 PM 6 PM" is "5 PM".
    if (separator === 'second mark') return 'skip';
    this.numbers.push(Number(digits));
    if (separator === 'T') return 'iso';
    return separator === 'end' ? 'number' : `number-${separator}`;
  }

  #year(year: number, state: State): Token | 'skip' | undefined {
    if (this.year !== undefined) return undefined;
    this.year = year;
    const separator = this.#separatorOf('year', state);
    if (separator === 'second mark') return 'skip';
    return nameToken('year', separator === 'mark' ? 'space' : separator);
  }

  #word(word: string, state: State): Token | 'skip' | undefined {
    const month = indexIn(MONTHS, word);
    const weekday = indexIn(WEEKDAYS, word);
    if (month >= 0) {
      if (this.month !== undefined) return undefined;
      this.month = month + 1;
      return nameToken('month', this.#separatorOf('month', state));
    }
    if (weekday >= 0) {
      if (this.weekday !== undefined) return undefined;
      this.weekday = weekday;
      return 'weekday';
    }
    if (word === 'am' || word === 'pm') return this.#setMark(word) ? 'skip' : undefined;
    if (word === 'ad') return 'era';
    if ((word !== 'z' && word !== 'gmt') || this.zone !== undefined) return undefined;
    this.zone = 0;
    return 'zone';
  }

  /** What follows. A dash that cannot separate the parts of a date here is left to be the sign of a zone. */
  #separatorOf(kind: 'number' | 'month' | 'year', state: State): Exclude<Separator, 'dash'> {
    const before = this.#at;
    const separator = this.#readSeparator();
    if (separator !== 'dash') return separator;
    if (nextState(state, `${kind}-date`) !== undefined || nextState(state, `${kind}-space`) === undefined)
      return 'date';
    this.#at = before;
    return 'space';
  }

  /** The next character. */
  get #next(): string | undefined {
    return this.#text[this.#at];
  }

  /** Is nothing left but U+0000? */
  #isAtEnd(): boolean {
    return this.#next === undefined || (this.#next === '\0' && this.#take(NULLS) !== null);
  }

  #isAtSign(): boolean {
    return this.#next === '+' || this.#next === '-';
  }

  /** Reads what a sticky pattern matches. */
  #take(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text);
    if (found) this.#at = sticky.lastIndex;
    return found;
  }

  #skipSpace(): void {
    while (this.#next !== undefined && isWhiteSpace(this.#next)) this.#at++;
  }

  #readSeparator(): Separator {
    this.#skipSpace();
    if (this.#next === undefined) return 'end';
    const separator = SEPARATORS[this.#next];
    if (separator !== undefined) {
      this.#at++;
      return separator;
    }
    const word = this.#take(T_OR_MARK)?.[0].toLowerCase();
    if (word === undefined) return 'space';
    if (word === 't') return 'T';
    return this.#setMark(word) ? 'mark' : 'second mark';
  }

  /** False where there is a mark already. */
  #setMark(mark: string): boolean {
    if (this.mark !== undefined) return false;
    this.mark = mark;
    return true;
  }

  /** Reads a zone if a sign follows. False where the zone is malformed or the second one. */
  #readZoneIfAny(): boolean {
    this.#skipSpace();
    return !this.#isAtSign() || (this.zone === undefined && this.#readZone());
  }

  /** Reads a zone with a sign. False where it is malformed. */
  #readZone(): boolean {
    const found = this.#take(ZONE);
    if (!found) return false;
    const hours = Number(found[2] ?? found[4]);
    const minutes = Number(found[3] ?? found[5] ?? 0);
    this.zone = (found[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
    return minutes < 60;
  }
}

function nameToken(kind: 'month' | 'year', separator: Separator): Token | undefined {
  if (separator === 'end') return kind;
  return separator === 'space' || separator === 'date' ? `${kind}-${separator}` : undefined;
}

type NumberToken = `number${'' | '-mark' | '-space' | '-date' | '-time'}`;
type NameToken = `${'month' | 'year'}${'' | '-space' | '-date'}`;
/** A number, month or year with what follows it, another word, or the end of the text. */
type Token = 'end' | NumberToken | NameToken | 'weekday' | 'zone' | 'era';

type AfterNumber = 'N' | 'NN' | 'N-' | 'N-N' | 'N-N-';
type AfterMonth = 'M' | 'MN' | 'NM' | 'MN-';
type AfterYear = 'Y' | 'YN' | 'YN-' | 'YM' | 'YM-';
/** What has been read since the last whole date or time. */
type State = 'start' | AfterNumber | AfterMonth | AfterYear | 't:' | 't::';

/** A whole date. */
type DateShape = 'NN!' | 'NNN!' | 'NNY!' | 'YNN!' | 'YN!' | 'YM!' | 'YMN!' | 'MN!' | 'NM!' | 'MNN!';
/** A whole time; the first has a date before it. */
type TimeShape = 'NNt!' | 't!';

type Table = Readonly<Record<Token, Readonly<Record<State, State | DateShape | TimeShape | undefined>>>>;

const TABLE = `
token         start N     NN    N-    N-N   N-N-  M     MN    NM    MN-   Y     YN    YN-   YM    YM-   t:    t::
end           start .     NN!   .     NN!   .     .     MN!   NM!   .     .     YN!   .     YM!   .     .     .
number        .     NN!   NNN!  NN!   NNN!  NNN!  MN!   MNN!  MNN!  MNN!  YN!   YNN!  YNN!  YMN!  YMN!  t!    t!
number-mark   t!    t!    t!    .     NNt!  NNN!  .     MNN!  MNN!  .     .     YNN!  YNN!  YMN!  YMN!  t!    t!
number-space  N     NN    NNN!  N-N   NNN!  NNN!  MN    MNN!  MNN!  MNN!  YN    YNN!  YNN!  YMN!  YMN!  t!    t!
number-date   N-    N-N-  .     N-N-  .     .     MN-   .     .     .     YN-   .     .     .     .     .     .
number-time   t:    .     t:    .     t:    .     .     t:    t:    .     .     .     .     .     .     t::   .
month         .     NM!   MNN!  NM!   MNN!  MNN!  .     .     .     .     YM!   YMN!  YMN!  .     .     NM!   .
month-space   M     NM    MNN!  MN    MNN!  MNN!  .     .     .     .     YM    YMN!  YMN!  .     .     NM    .
month-date    M     MN-   .     MN-   .     .     .     .     .     .     YM-   .     .     .     .     .     .
year          .     YN!   NNY!  YN!   NNY!  NNY!  YM!   YMN!  YMN!  YMN!  .     .     .     .     .     .     .
year-space    Y     YN    NNY!  YN    NNY!  NNY!  YM    YMN!  YMN!  YMN!  .     .     .     .     .     .     .
year-date     Y     YN-   .     YN-   .     .     YM-   .     .     .     .     .     .     .     .     .     .
weekday       start N     NN    N-    N-N   N-N-  M     MN    NM    MN-   Y     YN    YN    YM    YM    t:    t::
zone          start N     NN    .     .     .     .     .     .     .     .     .     .     .     .     t:    t::
era           start N     NN    N-    N-N   N-N-  M     MN    NM    MN-   Y     YN    YN    YM    YM    t:    t::
`;

// The table is parsed when the first date is read, so the start of the service does not wait for it.
let table: Table | undefined;

/** The state after a token, or undefined where the text is neither a date nor a time. */
const nextState = (state: State, token: Token): State | DateShape | TimeShape | undefined =>
  (table ??= parsed())[token][state];

function parsed(): Table {
  const [[, ...states] = [], ...rows] = Array.from(TABLE.trim().split('\n'), (line) => line.split(/ +/));
  const row = (cells: readonly string[]): object =>
    Object.fromEntries(cells.map((cell, column) => [states[column], cell === '.' ? undefined : cell]));
  return Object.fromEntries(rows.map(([token, ...cells]) => [token, row(cells)]));
}

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

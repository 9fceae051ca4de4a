/**
 * Splits a text into the tokens of a date (reference C.8): numbers, names of months and weekdays, marks and zones.
 *
 * What follows a number belongs to its token, because `5:` begins a time and `5/` begins a date. A `-` is a separator
 * or the sign of a zone: in `2009-05-12-02:00` the last one begins a zone, because no date can go on there.
 */
import { DateCursor, type Separator } from './date-cursor.ts';
import { nextState, type State, type Token } from './date-states.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

/** The index of a name that is given in full or by its first three letters, or -1. */
const indexIn = (names: readonly string[], word: string): number =>
  names.findIndex((name) => word === name || word === name.slice(0, 3));

const DIGITS = /\d+/y;
const ERA = /a\.d\.(?!\p{L})/iuy;
const FRACTION = /\.\d*/y;
const MEANINGLESS = /[.,]/y;
const WORD = /\p{L}+/uy;

const isTime = (state: State): boolean => state === 't:' || state === 't::';

/** Reads a text token by token and keeps the values that it has read. */
export class DateReader extends DateCursor {
  /** The numbers of one or two digits since the last whole date or time. */
  readonly numbers: number[] = [];
  year?: number;
  /** From 1. */
  month?: number;
  /** 0 is Sunday. */
  weekday?: number;

  /** The next token, `skip` for one without meaning, `iso` before an ISO time, or undefined where there is none. */
  read(state: State): Token | 'skip' | 'iso' | undefined {
    this.skipSpace();
    if (this.isAtEnd()) return 'end';
    const digits = this.take(DIGITS);
    if (digits) return this.#number(digits[0], state);
    if (this.take(MEANINGLESS)) return 'skip';
    if (this.take(ERA)) return 'era';
    const word = this.take(WORD);
    if (word) return this.#word(word[0].toLowerCase(), state);
    return this.zone === undefined && this.readZone() ? 'skip' : undefined;
  }

  #number(digits: string, state: State): Token | 'skip' | 'iso' | undefined {
    if (this.numbers.length === 3 || digits.length > 8) return undefined;
    if (state === 't::') this.take(FRACTION);
    if (isTime(state) && !this.readZoneIfAny()) return undefined;
    if (digits.length > 2) return this.#year(Number(digits), state);
    const separator = this.#separatorOf('number', state);
    const isMark = separator === 'mark' || separator === 'second mark';
    if (isMark && isTime(state) && !this.readZoneIfAny()) return undefined;
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
    if (word === 'am' || word === 'pm') return this.setMark(word) ? 'skip' : undefined;
    if (word === 'ad') return 'era';
    if ((word !== 'z' && word !== 'gmt') || this.zone !== undefined) return undefined;
    this.zone = 0;
    return 'zone';
  }

  /** What follows. A dash that cannot separate the parts of a date here is left to be the sign of a zone. */
  #separatorOf(kind: 'number' | 'month' | 'year', state: State): Exclude<Separator, 'dash'> {
    const before = this.at;
    const separator = this.readSeparator();
    if (separator !== 'dash') return separator;
    if (nextState(state, `${kind}-date`) !== undefined || nextState(state, `${kind}-space`) === undefined)
      return 'date';
    this.at = before;
    return 'space';
  }
}

function nameToken(kind: 'month' | 'year', separator: Separator): Token | undefined {
  if (separator === 'end') return kind;
  return separator === 'space' || separator === 'date' ? `${kind}-${separator}` : undefined;
}

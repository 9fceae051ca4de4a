/**
 * Cuts a text into the tokens of a date (reference C.8): numbers, names of months and weekdays, marks and zones.
 *
 * What follows a number belongs to its token, because `5:` begins a time where `5/` begins a date. A `-` is both a separator and the
 * sign of a zone: `2009-05-12-02:00` ends its date where nothing but a zone can follow.
 */
import { DateCursor, isDigit, isLetter } from './date-cursor.ts';
import type { State, Token } from './date-states.ts';
import { NEXT } from './date-states.ts';

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Number of a name, whole or its first three letters, from 0; -1 for none. */
const among = (names: readonly string[], word: string): number =>
  names.findIndex((name) => word === name || word === name.slice(0, 3));

/** Reads a text from left to right and keeps what it has seen. */
export class DateReader extends DateCursor {
  /** Numbers of one or two digits since the last whole date or time. */
  readonly numbers: number[] = [];
  year?: number;
  month?: number;
  weekday?: number;

  /** The next token; `skip` for one without meaning, `iso` where a `T` announces a time, undefined where no date can be. */
  next(state: State): Token | 'skip' | 'iso' | undefined {
    this.skipSpace();
    const character = this.text[this.at];
    if (character === undefined) return 'end';
    if (isDigit(character)) return this.#number(state);
    if (isLetter(character)) return this.#word(state);
    if (character === '.' || character === ',') {
      this.at++;
      return 'skip';
    }
    if ((character === '+' || character === '-') && this.zone === undefined)
      return this.readZone() ? 'skip' : undefined;
    if (character === '\0' && /^\0+$/.test(this.text.slice(this.at))) {
      this.at = this.text.length;
      return 'skip';
    }
    return undefined;
  }

  #number(state: State): Token | 'skip' | 'iso' | undefined {
    if (this.numbers.length === 3) return undefined;
    const start = this.at;
    while (isDigit(this.text[this.at])) this.at++;
    const length = this.at - start;
    if (length > 8) return undefined;
    const value = Number(this.text.slice(start, this.at));
    if (state === 't::') this.fraction();
    if (this.#isTime(state) && !this.zoneAhead()) return undefined;
    const before = this.at;
    const separator = this.separator();
    if (length > 2) {
      if (this.year !== undefined) return undefined;
      this.year = value;
      if (separator === 'end') return 'year';
      if (separator === 'second mark') return 'skip';
      if (separator === 'mark' || separator === 'space') return 'year-space';
      if (separator === 'dash' && NEXT[state]['year-date'] === undefined && NEXT[state]['year-space'] !== undefined) {
        this.at = before;
        return 'year-space';
      }
      return separator === 'date' || separator === 'dash' ? 'year-date' : undefined;
    }
    // A number with a second mark is overlooked, mark and all: "5 PM 6 PM" is "5 PM".
    if (separator === 'second mark') return this.#isTime(state) && !this.zoneAhead() ? undefined : 'skip';
    this.numbers.push(value);
    switch (separator) {
      case 'end':
        return 'number';
      case 'mark':
        return this.#isTime(state) && !this.zoneAhead() ? undefined : 'number-mark';
      case 'space':
        return 'number-space';
      case 'date':
        return 'number-date';
      case 'time':
        return 'number-time';
      case 'T':
        return 'iso';
      default:
        if (NEXT[state]['number-date'] !== undefined || NEXT[state]['number-space'] === undefined) return 'number-date';
        this.at = before;
        return 'number-space';
    }
  }

  #word(state: State): Token | 'skip' | undefined {
    if (/^a\.d\.(?!\p{L})/iu.test(this.text.slice(this.at))) {
      this.at += 4;
      return 'era';
    }
    const word = this.takeWord();
    const month = among(MONTHS, word);
    if (month >= 0) return this.#readMonth(month + 1, state);
    const weekday = among(WEEKDAYS, word);
    if (weekday >= 0) {
      if (this.weekday !== undefined) return undefined;
      this.weekday = weekday;
      return 'weekday';
    }
    if (word === 'am' || word === 'pm') return this.setMark(word) ? 'skip' : undefined;
    if (word === 'ad') return 'era';
    if (word !== 'z' && word !== 'gmt') return undefined;
    if (this.zone !== undefined) return undefined;
    this.zone = 0;
    return 'zone';
  }

  #readMonth(month: number, state: State): Token | undefined {
    const before = this.at;
    const separator = this.separator();
    if (this.month !== undefined) return undefined;
    this.month = month;
    if (separator === 'end') return 'month';
    if (separator === 'space') return 'month-space';
    if (separator === 'date') return 'month-date';
    if (separator !== 'dash') return undefined;
    if (NEXT[state]['month-date'] !== undefined || NEXT[state]['month-space'] === undefined) return 'month-date';
    this.at = before;
    return 'month-space';
  }

  #isTime(state: State): boolean {
    return state === 't:' || state === 't::';
  }
}

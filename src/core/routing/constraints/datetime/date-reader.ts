/**
 * Splits a text into the tokens of a date (reference C.8): numbers, names of months and weekdays, marks and zones.
 *
 * What follows a number belongs to its token, because `5:` begins a time and `5/` begins a date. A `-` is a separator
 * or the sign of a zone: in `2009-05-12-02:00` the last one begins a zone, because no date can go on there.
 */
import { isWhiteSpace } from '../../text/white-space.ts';
import { nextState, type State, type Token } from './date-states.ts';

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
export class DateReader {
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

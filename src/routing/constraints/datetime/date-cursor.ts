/**
 * A place in the text of a date (reference C.8), and what can be read there whatever came before: spaces, words, separators, zones.
 */
import { isSpace } from '../floating-text.ts';

export const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9';
export const isLetter = (character: string | undefined): boolean => character !== undefined && /\p{L}/u.test(character);

/** What follows a number or a month. */
export type Separator = 'end' | 'mark' | 'second mark' | 'space' | 'date' | 'dash' | 'time' | 'T';

const MARKS: Readonly<Record<string, Separator>> = { '/': 'date', '-': 'dash', ':': 'time' };

/** Reads from left to right, and keeps the mark and the zone that it has seen. */
export class DateCursor {
  protected readonly text: string;
  protected at = 0;
  mark?: 'am' | 'pm';
  /** In minutes. */
  zone?: number;

  constructor(text: string) {
    this.text = text;
  }

  /** What follows the `T` of an ISO date: the hour, or undefined when it is no time. */
  isoTime(): number | undefined {
    const rest = this.text.slice(this.at);
    const found = /^\s*(\d\d)\s*:\s*(\d\d)\s*(?::\s*(\d\d)(?:\.\d+)?\s*)?(.*)$/s.exec(rest);
    if (!found) return undefined;
    if (Number(found[1]) > 23 || Number(found[2]) > 59 || Number(found[3] ?? 0) > 59) return undefined;
    this.at = this.text.length - found[4]!.length;
    const next = this.text[this.at];
    if (next === '+' || next === '-') {
      if (!this.readZone()) return undefined;
    } else if (next === 'Z' || next === 'z') {
      this.zone = 0;
      this.at++;
    }
    this.skipSpace();
    return this.at === this.text.length || /^\0+$/.test(this.text.slice(this.at)) ? Number(found[1]) : undefined;
  }

  protected setMark(mark: 'am' | 'pm'): boolean {
    if (this.mark !== undefined) return false;
    this.mark = mark;
    return true;
  }

  protected separator(): Separator {
    this.skipSpace();
    const character = this.text[this.at];
    if (character === undefined) return 'end';
    const separator = MARKS[character];
    if (separator !== undefined) {
      this.at++;
      return separator;
    }
    if (!isLetter(character)) return 'space';
    const before = this.at;
    const word = this.takeWord();
    if (word === 't') return 'T';
    if (word === 'am' || word === 'pm') return this.setMark(word) ? 'mark' : 'second mark';
    this.at = before;
    return 'space';
  }

  protected takeWord(): string {
    const start = this.at;
    while (isLetter(this.text[this.at])) this.at++;
    return this.text.slice(start, this.at).toLowerCase();
  }

  protected fraction(): void {
    if (this.text[this.at] !== '.') return;
    this.at++;
    while (isDigit(this.text[this.at])) this.at++;
  }

  /** Reads a zone with a sign if one follows. False when it is malformed or the second one. */
  protected zoneAhead(): boolean {
    const before = this.at;
    this.skipSpace();
    const sign = this.text[this.at];
    if ((sign !== '+' && sign !== '-') || this.at >= this.text.length) {
      this.at = before;
      return true;
    }
    return this.zone === undefined && this.readZone();
  }

  protected readZone(): boolean {
    const found = /^([+-])(?:(\d{1,2})(?::(\d{1,2})(?!\d)|(?![\d:]))|(\d{1,2})(\d\d)(?!\d))/.exec(
      this.text.slice(this.at, this.at + 12),
    );
    if (!found) return false;
    const hours = Number(found[2] ?? found[4]),
      minutes = Number(found[3] ?? found[5] ?? 0);
    if (minutes > 59) return false;
    this.zone = (found[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
    this.at += found[0].length;
    return true;
  }

  protected skipSpace(): void {
    while (this.at < this.text.length && isSpace(this.text[this.at]!)) this.at++;
  }
}

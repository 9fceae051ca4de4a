/** Reads the parts of a date that do not depend on its state (reference C.8): separators, marks, zones, ISO times. */
import { isWhiteSpace } from '../../text/white-space.ts';

/** What follows a number, a month or a year. The second AM or PM of a text is a `second mark`. */
export type Separator = 'end' | 'mark' | 'second mark' | 'space' | 'date' | 'dash' | 'time' | 'T';

const SEPARATORS: Readonly<Record<string, Separator>> = { '/': 'date', '-': 'dash', ':': 'time' };

const ISO_TIME = /\s*(\d\d)\s*:\s*(\d\d)\s*(?::\s*(\d\d)(?:\.\d+)?\s*)?/y;
const NULLS = /\0*$/y;
const T_OR_MARK = /(?:t|[ap]m)(?!\p{L})/iuy;
const Z = /z/iy;
const ZONE = /([+-])(?:(\d{1,2})(?::(\d{1,2})(?!\d)|(?![\d:]))|(\d{1,2})(\d\d)(?!\d))/y;

/** Reads a text from left to right and keeps the mark and the zone that it has read. */
export class DateCursor {
  mark?: string;
  /** The difference from UTC in minutes. */
  zone?: number;
  protected at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the time after the `T` of an ISO date up to the end. The hour, or undefined where it is no such time. */
  readIsoTime(): number | undefined {
    const found = this.take(ISO_TIME);
    if (!found) return undefined;
    const [, hour, minute, second = 0] = found;
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
    if (this.take(Z)) this.zone = 0;
    else if (this.isAtSign() && !this.readZone()) return undefined;
    this.skipSpace();
    return this.isAtEnd() ? Number(hour) : undefined;
  }

  /** The next character. */
  protected get next(): string | undefined {
    return this.#text[this.at];
  }

  /** Is nothing left but U+0000? */
  protected isAtEnd(): boolean {
    return this.next === undefined || (this.next === '\0' && this.take(NULLS) !== null);
  }

  protected isAtSign(): boolean {
    return this.next === '+' || this.next === '-';
  }

  /** Reads what a sticky pattern matches. */
  protected take(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.#text);
    if (found) this.at = sticky.lastIndex;
    return found;
  }

  protected skipSpace(): void {
    while (this.next !== undefined && isWhiteSpace(this.next)) this.at++;
  }

  protected readSeparator(): Separator {
    this.skipSpace();
    if (this.next === undefined) return 'end';
    const separator = SEPARATORS[this.next];
    if (separator !== undefined) {
      this.at++;
      return separator;
    }
    const word = this.take(T_OR_MARK)?.[0].toLowerCase();
    if (word === undefined) return 'space';
    if (word === 't') return 'T';
    return this.setMark(word) ? 'mark' : 'second mark';
  }

  /** False where there is a mark already. */
  protected setMark(mark: string): boolean {
    if (this.mark !== undefined) return false;
    this.mark = mark;
    return true;
  }

  /** Reads a zone if a sign follows. False where the zone is malformed or the second one. */
  protected readZoneIfAny(): boolean {
    this.skipSpace();
    return !this.isAtSign() || (this.zone === undefined && this.readZone());
  }

  /** Reads a zone with a sign. False where it is malformed. */
  protected readZone(): boolean {
    const found = this.take(ZONE);
    if (!found) return false;
    const hours = Number(found[2] ?? found[4]);
    const minutes = Number(found[3] ?? found[5] ?? 0);
    this.zone = (found[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
    return minutes < 60;
  }
}

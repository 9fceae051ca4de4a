/** Decides which days there are in the Gregorian calendar, years 1 to 9999, which it extends backwards. */

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A day that exists. Months and days count from 1. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The day of these numbers, or undefined where there is none. */
export function dayOf(year: number, month: number, day: number): Day | undefined {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1) return undefined;
  return day <= (month === 2 && isLeap(year) ? 29 : DAYS[month - 1]!) ? { year, month, day } : undefined;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** The day of the week; 0 is Sunday. */
export function weekdayOf({ year, month, day }: Day): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCDay();
}

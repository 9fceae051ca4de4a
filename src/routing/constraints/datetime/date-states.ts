/**
 * The shapes of dates and times as a table: what has been read so far, what comes next, what has been read then.
 *
 * A state is named after what it has seen: `N` a number, `Y` a year, `M` a month's name, `t` something of a time; a `-` at its end is a
 * date separator, a `:` a time separator. One that ends in `!` is a whole date or time; reading then starts over.
 */

/** What comes next: a number, year or month, and what follows it. */
export type Token =
  | 'end'
  | 'number'
  | 'number-mark'
  | 'number-space'
  | 'number-date'
  | 'number-time'
  | 'month'
  | 'month-space'
  | 'month-date'
  | 'weekday'
  | 'year-space'
  | 'year-date'
  | 'year'
  | 'zone'
  | 'era';

/** What has been read. */
export type State =
  | 'start'
  | 'N'
  | 'NN'
  | 'N-'
  | 'N-N'
  | 'N-N-'
  | 'M'
  | 'MN'
  | 'NM'
  | 'MN-'
  | 'Y'
  | 'YN'
  | 'YN-'
  | 'YM'
  | 'YM-'
  | 't:'
  | 't::'
  | 'NN!'
  | 'NNN!'
  | 'MN!'
  | 'NM!'
  | 'MNN!'
  | 'YNN!'
  | 'NNY!'
  | 'YMN!'
  | 'YN!'
  | 'YM!'
  | 'NNt!'
  | 't1!'
  | 't2!'
  | 't3!';

const any = (state: State): Partial<Record<Token, State>> => ({
  number: state,
  'number-mark': state,
  'number-space': state,
});
const years = (state: State): Partial<Record<Token, State>> => ({ 'year-space': state, year: state });

/** From state and token to state; what is not there is no date. */
export const NEXT: Readonly<Record<State, Partial<Record<Token, State>>>> = {
  start: {
    end: 'start',
    'number-mark': 't1!',
    'number-space': 'N',
    'number-date': 'N-',
    'number-time': 't:',
    'month-space': 'M',
    'month-date': 'M',
    weekday: 'start',
    'year-space': 'Y',
    'year-date': 'Y',
    zone: 'start',
    era: 'start',
  },
  N: {
    number: 'NN!',
    'number-mark': 't2!',
    'number-space': 'NN',
    'number-date': 'N-N-',
    month: 'NM!',
    'month-space': 'NM',
    'month-date': 'MN-',
    weekday: 'N',
    'year-space': 'YN',
    'year-date': 'YN-',
    year: 'YN!',
    zone: 'N',
    era: 'N',
  },
  NN: {
    end: 'NN!',
    number: 'NNN!',
    'number-mark': 't1!',
    'number-space': 'NNN!',
    'number-time': 't:',
    month: 'MNN!',
    'month-space': 'MNN!',
    weekday: 'NN',
    ...years('NNY!'),
    zone: 'NN',
    era: 'NN',
  },
  'N-': {
    number: 'NN!',
    'number-space': 'N-N',
    'number-date': 'N-N-',
    month: 'NM!',
    'month-space': 'MN',
    'month-date': 'MN-',
    weekday: 'N-',
    'year-space': 'YN',
    'year-date': 'YN-',
    year: 'YN!',
    era: 'N-',
  },
  'N-N': {
    end: 'NN!',
    number: 'NNN!',
    'number-mark': 'NNt!',
    'number-space': 'NNN!',
    'number-time': 't:',
    month: 'MNN!',
    'month-space': 'MNN!',
    weekday: 'N-N',
    ...years('NNY!'),
    era: 'N-N',
  },
  'N-N-': { ...any('NNN!'), month: 'MNN!', 'month-space': 'MNN!', weekday: 'N-N-', ...years('NNY!'), era: 'N-N-' },
  M: {
    number: 'MN!',
    'number-space': 'MN',
    'number-date': 'MN-',
    weekday: 'M',
    'year-space': 'YM',
    'year-date': 'YM-',
    year: 'YM!',
    era: 'M',
  },
  MN: { end: 'MN!', ...any('MNN!'), 'number-time': 't:', weekday: 'MN', ...years('YMN!'), era: 'MN' },
  NM: { end: 'NM!', ...any('MNN!'), 'number-time': 't:', weekday: 'NM', ...years('YMN!'), era: 'NM' },
  'MN-': { number: 'MNN!', 'number-space': 'MNN!', weekday: 'MN-', ...years('YMN!'), era: 'MN-' },
  Y: {
    number: 'YN!',
    'number-space': 'YN',
    'number-date': 'YN-',
    month: 'YM!',
    'month-space': 'YM',
    'month-date': 'YM-',
    weekday: 'Y',
    era: 'Y',
  },
  YN: { end: 'YN!', ...any('YNN!'), month: 'YMN!', 'month-space': 'YMN!', weekday: 'YN', era: 'YN' },
  'YN-': { ...any('YNN!'), month: 'YMN!', 'month-space': 'YMN!', weekday: 'YN', era: 'YN' },
  YM: { end: 'YM!', ...any('YMN!'), weekday: 'YM', era: 'YM' },
  'YM-': { ...any('YMN!'), weekday: 'YM', era: 'YM' },
  't:': {
    ...any('t2!'),
    'number-time': 't::',
    month: 'NM!',
    'month-space': 'NM',
    weekday: 't:',
    zone: 't:',
    era: 't:',
  },
  't::': { ...any('t3!'), weekday: 't::', zone: 't::', era: 't::' },
  'NN!': {},
  'NNN!': {},
  'MN!': {},
  'NM!': {},
  'MNN!': {},
  'YNN!': {},
  'NNY!': {},
  'YMN!': {},
  'YN!': {},
  'YM!': {},
  'NNt!': {},
  't1!': {},
  't2!': {},
  't3!': {},
};

/**
 * Decides which tokens may follow each other in a date or a time (reference C.8), by a table of states.
 *
 * A state is named after what has been read: `N` a number, `M` the name of a month, `Y` a year, `t` a part of a time. A
 * final `-` is a date separator, a final `:` a time separator. A state with a `!` is a whole date or time; reading
 * starts again.
 */

type NumberToken = `number${'' | '-mark' | '-space' | '-date' | '-time'}`;
type NameToken = `${'month' | 'year'}${'' | '-space' | '-date'}`;
/** A number, month or year with what follows it, another word, or the end of the text. */
export type Token = 'end' | NumberToken | NameToken | 'weekday' | 'zone' | 'era';

type AfterNumber = 'N' | 'NN' | 'N-' | 'N-N' | 'N-N-';
type AfterMonth = 'M' | 'MN' | 'NM' | 'MN-';
type AfterYear = 'Y' | 'YN' | 'YN-' | 'YM' | 'YM-';
/** What has been read since the last whole date or time. */
export type State = 'start' | AfterNumber | AfterMonth | AfterYear | 't:' | 't::';

/** A whole date. */
export type DateShape = 'NN!' | 'NNN!' | 'NNY!' | 'YNN!' | 'YN!' | 'YM!' | 'YMN!' | 'MN!' | 'NM!' | 'MNN!';
/** A whole time; the first has a date before it. */
export type TimeShape = 'NNt!' | 't!';

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
export const nextState = (state: State, token: Token): State | DateShape | TimeShape | undefined =>
  (table ??= parsed())[token][state];

function parsed(): Table {
  const [[, ...states] = [], ...rows] = Array.from(TABLE.trim().split('\n'), (line) => line.split(/ +/));
  const row = (cells: readonly string[]): object =>
    Object.fromEntries(cells.map((cell, column) => [states[column], cell === '.' ? undefined : cell]));
  return Object.fromEntries(rows.map(([token, ...cells]) => [token, row(cells)]));
}

/** The account of a run: what was asked, what came of it, and everything that is wrong. */

export interface Account {
  /** Changes that were asked for. */
  operations: number;
  kills: number;
  /** Acknowledged changes that were not there afterwards. */
  lost: number;
  /** Changes without an answer, or answered with 503: they may or may not have been made. */
  uncertain: number;
  /** Those of them that had been made. */
  made: number;
  /** Answers of 503. */
  refused: number;
  /** Requests under the tag of an acknowledged change that were answered as they must be. */
  tagsTried: number;
  /** Everything that is wrong, a line each; what is lost too. */
  readonly differences: string[];
}

export const emptyAccount = (): Account => ({
  operations: 0,
  kills: 0,
  lost: 0,
  uncertain: 0,
  made: 0,
  refused: 0,
  tagsTried: 0,
  differences: [],
});

/** One line of figures. */
export const accountLine = (account: Account): string =>
  `${account.operations} operations, ${account.kills} kills, ${account.uncertain} uncertain (${account.made} made), ` +
  `${account.refused} refused with 503, ${account.tagsTried} tags tried, ${account.differences.length} differences, ` +
  `lost: ${account.lost}`;

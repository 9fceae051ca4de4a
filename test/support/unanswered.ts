/** A handler of a route that no test asks. */
export const unanswered = (): never => {
  throw new Error('not asked');
};

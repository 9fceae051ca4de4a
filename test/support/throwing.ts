/** A handler that throws this. */
export const throwing = (error: unknown) => (): never => {
  throw error;
};

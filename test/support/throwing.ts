/** Returns a handler that throws this error. */
export const throwing = (error: unknown) => (): never => {
  throw error;
};

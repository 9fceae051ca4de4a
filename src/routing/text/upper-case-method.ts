/** Converts a method to upper case. Usual methods are only compared: `toUpperCase` takes as long as matching a short segment. */
export const upperCaseMethod = (method: string): string =>
  method === 'GET' ||
  method === 'POST' ||
  method === 'PUT' ||
  method === 'PATCH' ||
  method === 'DELETE' ||
  method === 'HEAD'
    ? method
    : method.toUpperCase();

/** Converts a method to upper case. For the usual ones it avoids `toUpperCase`, which costs as much as a segment. */
export const upperCaseMethod = (method: string): string =>
  method === 'GET' ||
  method === 'POST' ||
  method === 'PUT' ||
  method === 'PATCH' ||
  method === 'DELETE' ||
  method === 'HEAD'
    ? method
    : method.toUpperCase();

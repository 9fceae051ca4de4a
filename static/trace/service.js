/** Reads the recorded requests from the service. The URLs are relative, because a proxy may add a prefix. */

/** Returns the JSON of a reply. Rejects with an `Error` that has the detail of the problem. */
async function read(path) {
  const response = await fetch(`trace/${path}`);
  const body = await response.json();
  if (!response.ok) throw new Error(body.detail || response.statusText);
  return body;
}

export const pipeline = () => read('pipeline');
export const requests = () => read('requests');
export const request = (number) => read(`requests/${number}`);

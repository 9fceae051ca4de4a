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

/** Calls `added` with each new request, and `state` with true or false when the connection opens or fails. */
export function follow(added, state) {
  const source = new EventSource('trace/events');
  source.addEventListener('open', () => state(true));
  source.addEventListener('error', () => state(false));
  source.addEventListener('message', ({ data }) => added(JSON.parse(data)));
}

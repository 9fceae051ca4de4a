/** Asks the service for what it has traced. Addresses are relative: a proxy may have put a prefix in front. */

/** The answer of the service as JSON. Rejects with an `Error` that has the detail of its problem. */
async function ask(path) {
  const response = await fetch(`trace/${path}`);
  const body = await response.json();
  if (!response.ok) throw new Error(body.detail || response.statusText);
  return body;
}

export const pipeline = () => ask('pipeline');
export const requests = () => ask('requests');
export const request = (number) => ask(`requests/${number}`);

/** Calls `seen` with each new request, and `state` with whether the service is there. */
export function follow(seen, state) {
  const source = new EventSource('trace/events');
  source.addEventListener('open', () => state(true));
  source.addEventListener('error', () => state(false));
  source.addEventListener('message', ({ data }) => seen(JSON.parse(data)));
}

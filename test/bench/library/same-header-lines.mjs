/** Does the floor send what the service sends? Else a ratio would judge the header lines and not the code. */
import { ask } from './ask.mjs';

/** Throws where names of header lines, or lengths of answers beyond a few bytes, differ for one of the requests. */
export async function assertSameAnswers(one, requestsOfOne, other, requestsOfOther) {
  for (const [at, { method = 'GET', path, body, headers }] of requestsOfOne.entries()) {
    const there = requestsOfOther[at];
    const [first, second] = await Promise.all([
      ask(one.port, method, path, { body, headers }),
      ask(other.port, method, there.path, { body: there.body, headers: there.headers }),
    ]);
    const told = ({ name }, { status, headers: all }) => `${name}: ${status} ${Object.keys(all).sort().join(', ')}`;
    if (
      first.status !== second.status ||
      Object.keys(first.headers).sort().join() !== Object.keys(second.headers).sort().join()
    ) {
      throw new Error(`${method} ${path} is not answered alike:\n${told(one, first)}\n${told(other, second)}`);
    }
  }
}

/** Does the floor send what the service sends? Else a ratio would judge the header lines and not the code. */
import { ask } from './ask.mjs';

/** Throws where the status or the names of header lines differ. */
export async function assertSameAnswers(one, requestOfOne, other, requestOfOther) {
  const { method = 'GET', path } = requestOfOne;
  const answers = [await ask(one.port, method, path, requestOfOne)];
  answers.push(await ask(other.port, method, requestOfOther.path, requestOfOther));
  const told = answers.map(({ status, headers }) => `${status} ${Object.keys(headers).sort().join(', ')}`);
  if (told[0] !== told[1])
    throw new Error(`${method} ${path} is not answered alike:\n${one.name}: ${told[0]}\n${other.name}: ${told[1]}`);
}

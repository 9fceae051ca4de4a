/** Do two servers send the same header lines? Else a ratio would judge the header lines and not the code. */
import { ask } from './ask.mjs';

/** Throws where the status or the names of header lines differ. */
export async function assertSameAnswers(...subjects) {
  const told = [];
  for (const { name, server, request } of subjects) {
    const { status, headers } = await ask(server.port, request.method, request.path, request);
    told.push({ name, text: `${status} ${Object.keys(headers).sort().join(', ')}` });
  }
  const [{ name, text }, other] = told;
  if (text !== other.text)
    throw new Error(`The servers answer differently:\n${name}: ${text}\n${other.name}: ${other.text}`);
}

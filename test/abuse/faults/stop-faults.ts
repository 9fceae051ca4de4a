/** Signals that stop the service, with and without load. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readAnswers } from '../answers.ts';
import { addItem } from '../items.ts';
import { startService } from '../running-service.ts';
import { readToEnd, silent, silentOnes } from './connections.ts';
import type { Fault } from './fault.ts';
import { emptyAccount, loadUntilGone } from './load.ts';

const NAMESPACE = ['unshare', '--pid', '--fork', '--mount-proc'];

export const stopFirstProcess: Fault = {
  name: 'SIGTERM as process 1 → ends with 0 within a second',
  async run() {
    const { status, stderr, error } = spawnSync(NAMESPACE[0]!, [...NAMESPACE.slice(1), 'true'], { encoding: 'utf8' });
    if (status !== 0) return `no namespace of its own here: ${error?.message ?? stderr.trim()}`;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const service = await startService({ through: NAMESPACE });
      const outer = service.child.pid!;
      await silentOnes(service.port, 3);
      const inner = Number(readFileSync(`/proc/${outer}/task/${outer}/children`, 'utf8').trim());
      const from = performance.now();
      process.kill(inner, signal);
      assert.equal((await service.exited).code, 0);
      assert.ok(performance.now() - from < 1000);
    }
  },
};

const BODY = '{"name":"under load"}';
const REQUESTS = [
  'GET /api/todo HTTP/1.1\r\nHost: a\r\n\r\n',
  `POST /api/todo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'GET /swagger/ui/swagger-ui.css HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /swagger/v1/swagger.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
];

/** Stops a service under load from these clients; all must be accounted for. */
export async function stopUnderLoad(clients: number): Promise<void> {
  const service = await startService({ flags: ['--max-items', '100000', '--max-body', '1m'] });
  const { port } = service;
  const account = emptyAccount();
  for (let at = 0; at < 12; at++) await addItem(port, 'x'.repeat(700_000));
  const [half, reader] = [await silent(port), await silent(port)];
  half.write(
    'POST /api/todo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 21\r\n\r\n{"name":',
  );
  reader.write('GET /api/todo HTTP/1.1\r\nHost: a\r\n\r\n');
  reader.resume();
  await once(reader, 'data', { signal: AbortSignal.timeout(5000) });
  reader.pause();
  await silentOnes(port, 5);
  const load = loadUntilGone(port, clients, (number) => REQUESTS[1 + (number % (REQUESTS.length - 1))]!, account);
  while (account.answered < clients * 20) await new Promise(setImmediate);
  const stopped = service.stop();
  await load;
  // The port is closed by now; what was accepted before is still answered.
  half.write('"late one"}  ');
  const late = readAnswers(await readToEnd(half));
  assert.equal(late.answers[0]?.status, 201);
  assert.equal(late.answers[0]?.headers.get('connection'), 'close');
  await readToEnd(reader);
  assert.ok(reader.bytesRead > 8_400_000, `a reply of 8.4 MB was cut at ${reader.bytesRead}`);
  assert.equal((await stopped).code, 0);
  assert.deepEqual(account.lost, []);
  assert.equal(account.asked, account.answered + account.refused);
}

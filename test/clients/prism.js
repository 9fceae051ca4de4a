/** Prism as a process of its own: a proxy that refuses requests and replies that a document does not allow. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { addressOf } from './service.js';

/** Starts it in front of `upstream`, with the document at this address. */
export async function startPrism(document, upstream) {
  const cli = fileURLToPath(new URL('node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  const child = spawn(process.execPath, [cli, 'proxy', document, upstream, '--errors', '--port', String(port)]);
  const base = await addressOf(child, /listening on (http:\S+)/, () => '');
  return {
    base,
    stop: () => {
      child.kill('SIGKILL');
      return once(child, 'exit');
    },
  };
}

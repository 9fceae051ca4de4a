/** Sends the corrupted requests of `test/abuse` through a proxy. Forwarded requests must not harm the service. */
import { folderOfTraps, SECRET } from '../../abuse/abused-service.ts';
import { deliver } from '../../abuse/delivery.ts';
import { framingOf } from '../../abuse/framing.ts';
import { spoiledConnection } from '../../abuse/fuzz.ts';
import { addItem, type Item, lostItems } from '../../abuse/items.ts';
import { startService } from '../../abuse/running-service.ts';
import { type ProxyName, startProxy } from './running-proxy.ts';

/** Returns true if the request itself explains the status. */
function isExplained(status: number, proxy: ProxyName, sent: Buffer): boolean {
  // Caddy forwards a body while it arrives, and answers 502 if its framing is broken.
  return [501, 505, 507].includes(status) || (proxy === 'caddy' && status === 502 && !framingOf(sent).clean);
}

const CONCURRENCY = 32;
const LAST = Buffer.from('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
/** The time limit in milliseconds for a connection whose last request became part of another request. */
const PATIENCE = 1000;

const SEED = 7;

/**
 * Returns the number of requests, the sent bytes of connections with an unexplained status of 500 or higher, and the
 * harm to the service: it exited, lost items, served a file outside its folder or logged an error.
 */
export async function hostileRequests(proxy: ProxyName, requests: number) {
  const { root, remove } = folderOfTraps();
  const flags = ['--static', root, '--health-checks', 'on', '--trusted-proxies', 'loopback', '--max-body', '64k'];
  const service = await startService({ flags });
  const front = await startProxy(proxy, [service.port, service.port], { isSecure: false });
  try {
    const kept: Item[] = [];
    for (let at = 0; at < 10; at++) kept.push((await addItem(service.port, `kept ${at}`))!);
    const keys: string[] = [];
    for (let at = 0; at < 20; at++) keys.push((await addItem(service.port, `spent ${at}`))!.key);
    const serverErrors: string[] = [];
    const harm: string[] = [];
    let connection = 0;
    let tried = 0;
    const worker = async (): Promise<void> => {
      while (tried < requests) {
        const number = connection++;
        const { count, sent, way } = spoiledConnection(SEED, number, keys);
        tried += count;
        // A proxy drops a client that closes its side. So most wait until their last request ends the connection.
        const ending = way.ending === 'half' ? 'open' : way.ending;
        const { received } = await deliver(front.port, Buffer.concat([sent, LAST]), { ...way, ending }, PATIENCE);
        if (received.includes(SECRET)) harm.push(`connection ${number} read what lies outside`);
        for (const [, text] of received.toString('latin1').matchAll(/^HTTP\/1\.[01] (\d{3})/gm)) {
          const status = Number(text);
          if (status >= 500 && !isExplained(status, proxy, sent))
            serverErrors.push(`${status} for connection ${number}: ${JSON.stringify(sent.toString('latin1'))}`);
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    if (service.child.exitCode !== null || service.child.signalCode !== null) harm.push('the service has ended');
    else {
      const lost = await lostItems(service.port, kept);
      if (lost > 0) harm.push(`${lost} items are lost`);
    }
    if (service.errors() !== '') harm.push(service.errors().slice(-2000));
    return { tried, serverErrors, harm };
  } finally {
    await front.stop();
    await service.stop();
    remove();
  }
}

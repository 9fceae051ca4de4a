/** Runs the service in a container while many clients read a long item slowly. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../abuse/client.ts';
import { startService } from '../../abuse/running-service.ts';
import { container } from './container.ts';

const PATH = '/api/todo';
const READERS = 250;
/** The requests of each client. The system holds the first replies, so the service must hold one. */
const REQUESTS = 8;
const NAME = 'x'.repeat(1_000_000);
/** The bytes that each client reads in a second. */
const RATE = 600;

/**
 * Reads for this number of seconds. Returns the number of clients that have read a part, the status of a further request
 * while they read, the number of processes that the system has killed, and all errors. Returns the reason if no
 * container can be created.
 */
export async function slowReaders(bytes: number, seconds: number, program: readonly string[]) {
  const limit = container(bytes);
  if (typeof limit === 'string') return limit;
  const service = await startService({ through: limit.through, program });
  const client = new Client(service.port);
  const { location } = await client.send('POST', PATH, { name: NAME });
  const readers = Array.from({ length: READERS }, () => reader(service.port, location!));
  for (let second = 0; second < seconds; second++) {
    await sleep(1000);
    for (const { socket } of readers) socket.resume();
  }
  const status = await client.send('GET', PATH).then(
    (reply) => reply.status,
    () => undefined,
  );
  for (const { socket } of readers) socket.destroy();
  client.close();
  const result = { readers: readers.filter(({ taken }) => taken() > 0).length, status };
  const kills = limit.kills();
  await service.stop();
  limit.remove();
  return { ...result, kills, errors: service.errors() };
}

/** A client that takes at most `RATE` bytes each time that it is resumed. */
function reader(port: number, path: string) {
  let taken = 0;
  const callback = (length: number): boolean => {
    taken += length;
    return false;
  };
  const socket = connect({ port, host: '127.0.0.1', onread: { buffer: Buffer.alloc(RATE), callback } });
  socket.on('error', () => {});
  void once(socket, 'connect').then(() => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(REQUESTS)));
  return { socket, taken: () => taken };
}

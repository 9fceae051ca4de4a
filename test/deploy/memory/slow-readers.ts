/** Runs the service in a container while many clients read long replies slowly. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../abuse/client.ts';
import { startService } from '../../abuse/running-service.ts';
import { type StoreKind, storePlace } from '../../abuse/store-place.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { container } from './container.ts';

const PATH = '/api/todo';
const READERS = 250;
/** The requests of each client. The system holds the first replies, so the service must hold one. */
const REQUESTS = 8;
const LENGTH = 1_000_000;
/** The bytes that each client reads in a second. */
const RATE = 600;

/** A plugin with routes that send `LENGTH` characters. */
const ROUTES = `function* pieces() {
  for (let piece = 0; piece < 20; piece++) yield 'x'.repeat(${LENGTH / 20});
}
export default ({ route, text, json, stream }) => ({
  name: 'long',
  routes: [
    route({ path: 'text', handle: () => text('x'.repeat(${LENGTH})) }),
    route({ path: 'stream', handle: () => stream(pieces()) }),
    route({ path: 'json', handle: () => json(['x'.repeat(${LENGTH})]) }),
  ],
});`;

/** What the clients read. */
export interface Read {
  readonly store: StoreKind;
  /** The number of items, which have `LENGTH` characters together. */
  readonly items: number;
  /** The path of the first new item if undefined. */
  readonly path?: string;
}

/**
 * Reads for this number of seconds. Returns the number of clients that have read a part, the status of a further request
 * while they read, the peak memory, the number of processes that the system has killed, and all errors. Returns the
 * reason if no container can be created.
 */
export async function slowReaders(bytes: number, seconds: number, { store, items, path }: Read) {
  const limit = container(bytes);
  if (typeof limit === 'string') return limit;
  const place = await storePlace(store);
  const flags = [...(place.start.flags ?? []), '--plugin', `${temporaryFolder({ 'long.js': ROUTES })}/long.js`];
  const service = await startService({ ...place.start, flags, through: limit.through });
  const client = new Client(service.port);
  let location: string | undefined;
  for (let item = 0; item < items; item++) {
    const reply = await client.send('POST', PATH, { name: 'x'.repeat(LENGTH / items) });
    location ??= reply.location;
  }
  const readers = Array.from({ length: READERS }, () => reader(service.port, path ?? location!));
  for (let second = 0; second < seconds; second++) {
    await sleep(1000);
    for (const { socket } of readers) socket.resume();
  }
  const status = await client.send('GET', '/text').then(
    (reply) => reply.status,
    () => undefined,
  );
  for (const { socket } of readers) socket.destroy();
  client.close();
  const result = {
    readers: readers.filter(({ taken }) => taken() > 0).length,
    status,
    peak: limit.peak(),
    kills: limit.kills(),
  };
  await service.stop();
  await place.remove();
  limit.remove();
  return { ...result, errors: service.errors() };
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

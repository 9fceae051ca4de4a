/** The load that needs the most memory: a full store, many lists of all items, and many long bodies. */
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { Client } from '../../abuse/client.ts';

const PATH = '/api/todo';
const LISTS = 40;
const PUTS = 200;
const MB = 1_000_000;
/** The number of items whose keys are recorded, so that they can be replaced. */
const KNOWN = 200;
const FILLERS = 4;
/** The number of requests that one connection sends together to fill the store. */
const TOGETHER = 64;

/** The number of answers by status, the number of errors by message, and the bytes of the answers. */
export interface Answers {
  readonly counts: Map<string, number>;
  bytes: number;
}

const nameOf = (size: number): string => 'x'.repeat(size);

/** Creates items with a name of this length until the store is full. Returns some of their keys and their number. */
export async function fill(port: number, size: number): Promise<{ readonly keys: string[]; readonly items: number }> {
  const client = new Client(port);
  const [{ key: first }] = JSON.parse((await client.send('GET', PATH)).text) as [{ readonly key: string }];
  const keys = [first];
  while (keys.length < KNOWN) {
    const { status, location } = await client.send('POST', PATH, { name: nameOf(size) });
    if (status !== 201) break;
    keys.push(location!.slice(PATH.length + 1));
  }
  client.close();
  const counts = await Promise.all(Array.from({ length: FILLERS }, () => post(port, size)));
  return { keys, items: counts.reduce((sum, count) => sum + count, keys.length) };
}

/** Creates items over one connection until the store is full. Returns their number. */
async function post(port: number, size: number): Promise<number> {
  const body = JSON.stringify({ name: nameOf(size) });
  const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const together = Math.min(TOGETHER, Math.ceil(MB / body.length));
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let items = 0;
  let waiting = 0;
  let tail = '';
  socket.on('data', (chunk: string) => {
    const text = tail + chunk;
    for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
      if (status === '201') items++;
      else socket.end();
      waiting--;
    }
    tail = text.slice(1 - 'HTTP/1.1 201'.length);
    if (waiting === 0 && socket.writable) send();
  });
  const send = (): void => {
    waiting = together;
    socket.write((head + body).repeat(together));
  };
  send();
  await once(socket, 'close');
  return items;
}

/** Requests this number of complete lists at once. */
export async function lists(port: number): Promise<Answers> {
  const answers: Answers = { counts: new Map(), bytes: 0 };
  await Promise.all(Array.from({ length: LISTS }, () => answered(ask(port, 'GET', PATH).end(), answers)));
  return answers;
}

/** Replaces this number of items at once. The new names have this length. */
export async function puts(port: number, keys: readonly string[], size = MB): Promise<Answers> {
  const answers: Answers = { counts: new Map(), bytes: 0 };
  const all = begunPuts(port, keys, size, answers);
  await Promise.all(all.map(({ end }) => end()));
  return answers;
}

/**
 * Requests lists without reading them while other requests wait for the last byte of their bodies. Then reads and sends
 * everything.
 */
export async function together(port: number, keys: readonly string[], size = MB): Promise<Answers> {
  const answers: Answers = { counts: new Map(), bytes: 0 };
  const unread = await Promise.all(
    Array.from({ length: LISTS }, async () => {
      const asked = ask(port, 'GET', PATH).end();
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      return response;
    }),
  );
  const all = begunPuts(port, keys, size, answers);
  await Promise.all(all.map(({ begun }) => begun));
  await Promise.all(all.map(({ end }) => end()));
  await Promise.all(unread.map((response) => wholeAnswer(response, answers)));
  return answers;
}

const ask = (port: number, method: string, path: string, headers = {}): ClientRequest =>
  request({ agent: false, host: '127.0.0.1', port, method, path, headers });

/** PUT requests without their last byte. */
function begunPuts(port: number, keys: readonly string[], size: number, answers: Answers) {
  return Array.from({ length: PUTS }, (_, at) => {
    const key = keys[at % keys.length]!;
    const body = JSON.stringify({ key, name: nameOf(size) });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
    const asked = ask(port, 'PUT', `${PATH}/${key}`, headers);
    const done = answered(asked, answers);
    const begun = new Promise<void>((resolve) => {
      asked.once('close', resolve).once('response', () => resolve());
      asked.write(body.slice(0, -1), () => resolve());
    });
    return { begun, end: () => (asked.end(body.slice(-1)), done) };
  });
}

/** Counts the complete answer to a request. */
async function answered(asked: ClientRequest, answers: Answers): Promise<void> {
  try {
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    // The service may not read the rest of a refused body.
    asked.on('error', () => {});
    await wholeAnswer(response, answers);
  } catch (error) {
    count(answers, (error as NodeJS.ErrnoException).code ?? String(error));
  }
}

async function wholeAnswer(response: IncomingMessage, answers: Answers): Promise<void> {
  response.on('data', ({ length }: Buffer) => (answers.bytes += length));
  // A truncated answer also emits an error.
  response.on('error', () => {});
  if (!response.closed) await new Promise((closed) => response.once('close', closed));
  count(answers, response.complete ? String(response.statusCode) : 'cut');
}

const count = ({ counts }: Answers, what: string): unknown => counts.set(what, (counts.get(what) ?? 0) + 1);

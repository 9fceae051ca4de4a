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

/** The number of answers by status, and the number of errors by message. */
export type Answers = Map<string, number>;

const nameOf = (size: number): string => 'x'.repeat(size);

/** Creates items with a name of this length until the store is full. Returns some of their keys. */
export async function fill(port: number, size: number): Promise<readonly string[]> {
  const client = new Client(port);
  const [{ key: first }] = JSON.parse((await client.send('GET', PATH)).text) as [{ readonly key: string }];
  const keys = [first];
  while (keys.length < KNOWN) {
    const { status, location } = await client.send('POST', PATH, { name: nameOf(size) });
    if (status !== 201) break;
    keys.push(location!.slice(PATH.length + 1));
  }
  client.close();
  await Promise.all(Array.from({ length: FILLERS }, () => post(port, size)));
  return keys;
}

/** Creates items over one connection until the store is full. */
async function post(port: number, size: number): Promise<void> {
  const body = JSON.stringify({ name: nameOf(size) });
  const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const together = Math.min(TOGETHER, Math.ceil(MB / body.length));
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let waiting = 0;
  let tail = '';
  socket.on('data', (chunk: string) => {
    const text = tail + chunk;
    for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
      if (status !== '201') socket.end();
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
}

/** Requests complete lists at once. */
export async function lists(port: number): Promise<Answers> {
  const answers: Answers = new Map();
  await Promise.all(Array.from({ length: LISTS }, () => answered(ask(port, 'GET', PATH).end(), answers)));
  return answers;
}

/** Replaces items at once. The new names have a megabyte. */
export async function puts(port: number, keys: readonly string[]): Promise<Answers> {
  const answers: Answers = new Map();
  await Promise.all(
    Array.from({ length: PUTS }, (_, at) => {
      const key = keys[at % keys.length]!;
      const body = JSON.stringify({ key, name: nameOf(MB) });
      const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
      return answered(ask(port, 'PUT', `${PATH}/${key}`, headers).end(body), answers);
    }),
  );
  return answers;
}

const ask = (port: number, method: string, path: string, headers = {}): ClientRequest =>
  request({ agent: false, host: '127.0.0.1', port, method, path, headers });

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
  response.resume();
  // A truncated answer also emits an error.
  response.on('error', () => {});
  if (!response.closed) await new Promise((closed) => response.once('close', closed));
  count(answers, response.complete ? String(response.statusCode) : 'cut');
}

const count = (answers: Answers, what: string): unknown => answers.set(what, (answers.get(what) ?? 0) + 1);

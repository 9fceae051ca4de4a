/** The attacks. Each sends requests to the service at `port`, and resolves with the client's result in words. */
import { setTimeout } from 'node:timers/promises';
import { ask, Client, requestBytes } from '../../support/ask.ts';

const LIST = { target: '/api/todo' } as const;
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Another, innocent client has an open connection. */
export async function thrownString(port: number): Promise<string> {
  const bystander = new Client(port);
  await bystander.ask(LIST);
  const [attacked, other] = [await outcome(new Client(port), '/throws'), await outcome(bystander, LIST.target)];
  bystander.destroy();
  return `${attacked}; another client: ${other}`;
}

/** Returns the status of the reply, or `cut` without a reply. */
async function outcome(client: Client, target: string): Promise<string> {
  const answered = client.ask({ target, headers: { Connection: 'close' } });
  return answered.then(
    ({ status }) => String(status),
    () => 'cut',
  );
}

/** The wrong length leaves over some bytes of the body. They form a complete reply. */
export async function wrongLength(port: number): Promise<string> {
  const forged = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged';
  const client = new Client(port);
  await client.send(
    Buffer.concat([
      requestBytes({ method: 'POST', target: '/greeting', body: 'ü'.repeat(forged.length) + forged }),
      requestBytes({ ...LIST, headers: { Connection: 'close' } }),
    ]),
  );
  const [greeting, list] = await client.answers();
  return list?.text === 'forged' ? 'the next reply is forged' : String(greeting?.status);
}

/** A proxy that reads the last Host line passes this request on. */
export async function twoHosts(port: number): Promise<string> {
  const { status, text } = await ask(port, {
    target: '/page',
    headers: { Host: ['admin.example', 'public.example'] },
  });
  return status === 200 ? `the page ${text}` : String(status);
}

/** A POST and a GET of the list in one packet. */
export async function overtaking(port: number): Promise<string> {
  const client = new Client(port);
  await client.send(
    Buffer.concat([
      requestBytes({ ...LIST, method: 'POST', headers: JSON_TYPE, body: '{"name":"New"}' }),
      requestBytes({ ...LIST, headers: { Connection: 'close' } }),
    ]),
  );
  const [added, list] = await client.answers();
  return `${added?.status}, then a list ${list?.text.includes('New') ? 'with' : 'without'} the new item`;
}

/** A thousand requests in one packet. */
export async function crowd(port: number): Promise<string> {
  const client = new Client(port);
  await client.send(
    Buffer.concat(
      Array.from({ length: 1000 }, (_, at) =>
        requestBytes({ target: '/work', headers: at === 999 ? { Connection: 'close' } : {} }),
      ),
    ),
  );
  const answers = await client.answers();
  if (answers.length === 0) return 'cut';
  const most = Math.max(...answers.map(({ text }) => Number(text)));
  return most === 1 ? 'one at a time' : most > 100 ? 'hundreds at the same time' : `${most} at the same time`;
}

/** Sends fifty bytes a second, and never completes the body. Gives up after `patience` milliseconds. */
export async function slowBody(port: number, patience: number): Promise<string> {
  const client = new Client(port);
  void client.send({ ...LIST, method: 'POST', headers: { ...JSON_TYPE, 'Content-Length': '100000' }, body: '{' });
  const drip = setInterval(() => void client.send(' '), 20);
  const answered = client.answers().then(([answer]) => `${answer?.status}, the end`);
  const seen = await Promise.race([answered, setTimeout(patience, 'the connection is held', { ref: false })]);
  clearInterval(drip);
  client.destroy();
  return seen;
}

/** An order, then the end of the client's side. */
export async function halfClose(port: number): Promise<string> {
  const before = await orders(port);
  const client = new Client(port);
  await client.send({ method: 'POST', target: '/order', body: '' });
  client.end();
  const [answer] = await client.answers();
  return `${(await orders(port)) - before} order, ${answer === undefined ? 'no reply' : answer.status}`;
}

const orders = async (port: number): Promise<number> => Number((await ask(port, { target: '/order' })).text);

/** A path with an escape, and a path that matches no template. */
export async function escapedPath(port: number): Promise<string> {
  const [note, other] = [await ask(port, { target: '/notes/a%20b' }), await ask(port, { target: '/notes-txt' })];
  return `the note: ${note.status}; an unknown path: ${other.status}`;
}

/** A method that no route of the path takes. */
export async function otherMethod(port: number): Promise<string> {
  const { status, headers } = await ask(port, { method: 'DELETE', target: '/notes/a%20b' });
  return headers['allow'] === undefined ? String(status) : `${status}, Allow: ${headers['allow']}`;
}

/** Creates a note whose title has a slash and a question mark, then requests its Location. */
export async function followedLocation(port: number): Promise<string> {
  const { status, headers } = await ask(port, { method: 'POST', target: '/notes', body: 'salt/pepper?' });
  return `${status}, then ${(await ask(port, { target: String(headers['location']) })).status}`;
}

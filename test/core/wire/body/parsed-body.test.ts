/** Bodies that a parser of the host has read before a listener gets the request (D78). */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { text } from '../../../../src/core/message/replies.ts';
import { pipeline } from '../../../../src/core/pipeline/pipeline.ts';
import { problems } from '../../../../src/core/pipeline/problems.ts';
import type { ListenerOptions } from '../../../../src/core/wire/listener.ts';
import { listener } from '../../../../src/core/wire/listener.ts';
import { ask, type Question } from '../../../support/ask.ts';

/** What a parser leaves as `request.body`. */
type Parser = (request: IncomingMessage) => unknown;

const reading =
  (leave: (sent: Buffer) => unknown): Parser =>
  async (request) =>
    leave(Buffer.concat(await request.toArray()));

/** A server with this parser in front of a listener that sends the body back; what it has logged. */
async function parsing(t: TestContext, parse: Parser, options: ListenerOptions = {}) {
  const logged: string[] = [];
  const log = (error: unknown): void => void logged.push(String(error));
  const echo = listener(pipeline([problems(log), async (context) => text(`${await context.body()}`)]), options);
  const server = createServer(async (request, response) => {
    const body = await parse(request);
    if (body !== undefined) Object.assign(request, { body });
    echo(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, logged };
}

const JSON_TYPE = 'application/json; charset=utf-8';
const FORM = 'application/x-www-form-urlencoded';
const MADE: readonly (readonly [left: unknown, type: string, body: string])[] = [
  [{ name: 'Ä', list: [1, null] }, JSON_TYPE, '{"name":"Ä","list":[1,null]}'],
  [{ a: 1 }, 'application/merge-patch+json', '{"a":1}'],
  [[], JSON_TYPE, '[]'],
  [{}, JSON_TYPE, '{}'],
  [null, JSON_TYPE, 'null'],
  [false, JSON_TYPE, 'false'],
  ['Straße', 'text/plain', 'Straße'],
  ['{"a": 1}', JSON_TYPE, '{"a": 1}'],
  [Buffer.from('bytes'), 'application/octet-stream', 'bytes'],
  [{ a: '1', b: ['2', 'ä ö'], c: '' }, FORM, 'a=1&b=2&b=%C3%A4+%C3%B6&c='],
  [{ a: { b: 'x', c: [{ d: 'y' }] } }, FORM, 'a%5Bb%5D=x&a%5Bc%5D%5B%5D%5Bd%5D=y'],
];
for (const [left, type, body] of MADE)
  test(`D78 – a parser leaves ${JSON.stringify(left)} of ${type} → the body is ${body}`, async (t) => {
    const { port } = await parsing(
      t,
      reading(() => left),
    );
    const question: Question = { method: 'POST', headers: { 'Content-Type': type }, body: 'what was sent' };
    assert.equal((await ask(port, question)).text, body);
    // The parser has undone the coding, of a body in chunks too.
    const coded = { ...question.headers, 'Content-Encoding': 'gzip' };
    assert.equal((await ask(port, { ...question, headers: coded, body: ['not', 'gzip'] })).text, body);
  });

const LOST: readonly (readonly [what: string, left: unknown, type: string])[] = [
  ['nothing', undefined, JSON_TYPE],
  ['an empty object, as Express 4 sets,', {}, 'text/plain'],
  ['the fields of a form with files', { field: '1' }, 'multipart/form-data; boundary=x'],
];
for (const [what, left, type] of LOST)
  test(`D78 – something reads the body and leaves ${what} → 500, and the log has the remedy`, async (t) => {
    const { port, logged } = await parsing(
      t,
      reading(() => left),
    );
    const { status } = await ask(port, { method: 'POST', headers: { 'Content-Type': type }, body: 'sent' });
    assert.equal(status, 500);
    assert.match(logged.join(), /Cannot read the body of POST \/: .* mount the listener in front of that/);
  });

const NOT_READ: readonly (readonly [what: string, parse: Parser])[] = [
  ['sets {} and reads nothing, as Express 4 does', () => ({})],
  ['does nothing', () => undefined],
  ['pauses the request', (request) => void request.pause()],
];
for (const [what, parse] of NOT_READ)
  test(`D78 – a parser that ${what} → the body is what was sent`, async (t) => {
    const { port } = await parsing(t, parse);
    assert.equal((await ask(port, { method: 'POST', body: 'sent' })).text, 'sent');
    assert.equal((await ask(port, { method: 'POST', body: ['se', 'nt'] })).text, 'sent');
    assert.equal((await ask(port, {})).text, '');
  });

test('D78 – a parsed body of more than maxBody bytes → 413', async (t) => {
  const parser = reading((sent) => ({ sent: String(sent).repeat(10) }));
  const { port } = await parsing(t, parser, { limits: { maxBody: 50 } });
  const question: Question = { method: 'POST', headers: { 'Content-Type': JSON_TYPE } };
  assert.equal((await ask(port, { ...question, body: 'x' })).status, 200);
  assert.equal((await ask(port, { ...question, body: 'xxxxx' })).status, 413);
});

/** Bodies that a parser of the host has read before a listener gets the request (D78). */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { text } from '../../../../src/core/http/replies.ts';
import { pipeline } from '../../../../src/core/pipeline/pipeline.ts';
import { problems } from '../../../../src/core/pipeline/problems.ts';
import { listener } from '../../../../src/core/server/service.ts';
import { ask } from '../../../support/ask.ts';
import { serveListener } from '../../../support/serve.ts';

/** What a parser leaves as `request.body`. */
type Parser = (request: IncomingMessage) => unknown;

/** A server with this parser in front of a listener that sends the body back; what it has logged. */
async function parsing(t: TestContext, parse: Parser) {
  const logged: string[] = [];
  const log = (error: unknown): void => void logged.push(String(error));
  const echo = listener(pipeline([problems(log), async (context) => text(`${await context.body()}`)]));
  const port = await serveListener(t, async (request, response) => {
    const body = await parse(request);
    if (body !== undefined) Object.assign(request, { body });
    echo(request, response);
  });
  return { port, logged };
}

const PARSERS: readonly (readonly [what: string, parse: Parser])[] = [
  ['reads the body whole', async (request) => JSON.parse(String(Buffer.concat(await request.toArray())))],
  ['has begun to read the body', (request) => void request.resume()],
];
for (const [what, parse] of PARSERS)
  test(`D78 – a parser that ${what} → 500, and the log says where to mount the listener`, async (t) => {
    const { port, logged } = await parsing(t, parse);
    const type = { 'Content-Type': 'application/json' };
    assert.equal((await ask(port, { method: 'POST', headers: type, body: '{"a":1}' })).status, 500);
    assert.equal((await ask(port, { method: 'POST', headers: type, body: ['{"a"', ':1}'] })).status, 500);
    const line =
      'Error: Cannot read the body of POST /: a body parser has read it; ' +
      'mount the listener before the body parser, for example before express.json()';
    assert.deepEqual(logged, [line, line]);
  });

const NOT_READ: readonly (readonly [what: string, parse: Parser])[] = [
  ['sets {} and reads nothing, as Express 4 does', () => ({})],
  ['does nothing', () => undefined],
  ['pauses the request', (request) => void request.pause()],
];
for (const [what, parse] of NOT_READ)
  test(`D78 – a parser that ${what} → the handler gets the sent body`, async (t) => {
    const { port } = await parsing(t, parse);
    assert.equal((await ask(port, { method: 'POST', body: 'sent' })).text, 'sent');
    assert.equal((await ask(port, { method: 'POST', body: ['se', 'nt'] })).text, 'sent');
    assert.equal((await ask(port, {})).text, '');
  });

/**
 * Heads that are written past `writeHead` of Node, beside those that it writes, and the bytes of a reply that a client
 * has taken. What else this service uses of Node beyond its manual is tested by what a client sees.
 */
import assert from 'node:assert/strict';
import { type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import { type TestContext, test } from 'node:test';
import { writeCheckedHead } from '../../../../src/core/server/connection/node-internals.ts';
import { Client } from '../../../support/ask.ts';
import { serveListener } from '../../../support/serve.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const LAST_GET = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

const clientOf = async (t: TestContext, listener: RequestListener): Promise<Client> =>
  new Client(await serveListener(t, listener));

for (const [what, request, status, lines, end] of [
  ['a body of one piece', GET, 200, ['Content-Length', '2', 'ETag', '"a"'], 'ok'],
  ['a body without a length', GET, 200, ['X-A', 'a'], 'ok'],
  ['a body in parts', GET, 200, ['X-A', 'a', 'X-A', 'b'], 'in parts'],
  ['a length in other letters', GET, 200, ['content-length', '2'], 'ok'],
  ['a date of its own', GET, 200, ['date', 'Tue, 15 Nov 1994 08:12:31 GMT', 'Content-Length', '2'], 'ok'],
  ['no body', GET, 204, [], ''],
  ['a 304', GET, 304, ['ETag', '"a"'], ''],
  ['a reply to HEAD', GET.replace('GET', 'HEAD'), 200, ['Content-Length', '2'], ''],
  ['a reply to HTTP/1.0', GET.replace('1.1', '1.0'), 200, ['Content-Length', '2'], 'ok'],
  ['a reply to HTTP/1.0 without a length', GET.replace('1.1', '1.0'), 200, [], 'ok'],
  ['a client that closes', LAST_GET, 200, ['Content-Length', '2'], 'ok'],
  ['a value with an obsolete character', GET, 200, ['X-A', 'caf\xe9', 'Content-Length', '2'], 'ok'],
] as const)
  for (const closes of [false, true])
    test(`node – the head of ${what}${closes ? ', the last' : ''} → the lines of writeHead, and its framing`, async (t) => {
      const asked = closes || /1\.0|close/.test(request) ? request : request + LAST_GET;
      const answers: string[] = [];
      for (const isJudged of [false, true]) {
        const client = await clientOf(t, (incoming, response) => {
          if (!isJudged) response.writeHead(status, [...lines, 'X-Z', 'z', ...(closes ? ['Connection', 'close'] : [])]);
          else {
            const head = { status, phrase: STATUS_CODES[status]!, lines, serverLines: 'X-Z: z\r\n', closes };
            assert.ok(writeCheckedHead(response, head));
          }
          incoming.resume();
          if (end === 'in parts') response.write('first ');
          response.end(end);
        });
        await client.send(asked);
        await client.over();
        // The order of the lines is another, and the time may be.
        const heads = client.rest.toString('latin1').split(/(?<=\r\n\r\n|\n\r\n.+)(?=HTTP)/);
        const sorted = heads.map((text) =>
          text
            .split('\r\n')
            .sort()
            .join('\n')
            .replace(/^Date: (?!.* 1994 ).*$/m, 'Date'),
        );
        answers.push(sorted.join('\n'));
      }
      assert.match(answers[0]!, new RegExp(`^HTTP/1.1 ${status} `, 'm'));
      assert.equal(answers[1], answers[0]);
    });

const replaced: readonly (readonly [what: string, replace: (response: ServerResponse) => void])[] = [
  [
    'whose writeHead middleware has replaced',
    (response) => Object.assign(response, { writeHead: response.writeHead.bind(response) }),
  ],
  ['on which a framework has set a header', (response) => void response.setHeader('X-Powered-By', 'Express')],
];
for (const [what, replace] of replaced)
  test(`node – a response ${what} → writeHead writes its head`, async (t) => {
    const client = await clientOf(t, (_request, response) => {
      replace(response);
      const head = { status: 200, phrase: 'OK', lines: ['X-A', 'a'], serverLines: '', closes: false };
      response.end(String(writeCheckedHead(response, head)));
    });
    assert.equal((await client.ask({})).text, 'false');
  });

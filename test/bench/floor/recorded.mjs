/**
 * The floor under files: the very answers of the service, held in memory and sent again by string comparison.
 *
 * `BENCH_RECORDING` names a file of them, see `library/recording.mjs`. Header lists and bodies are ready; nothing is
 * chosen but the coding and whether the client has it already.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const answers = new Map();
for (const { path, coding, etag, lines, body, unchanged } of JSON.parse(
  readFileSync(process.env.BENCH_RECORDING, 'utf8'),
)) {
  if (!answers.has(path)) answers.set(path, {});
  answers.get(path)[coding] = { etag, lines, body: Buffer.from(body, 'base64'), unchanged };
}

const server = createServer((request, response) => {
  const found = answers.get(request.url);
  if (found === undefined) {
    response.writeHead(404);
    return response.end();
  }
  const accepted = request.headers['accept-encoding'];
  const answer =
    (accepted?.includes('br') ? found.br : accepted?.includes('gzip') ? found.gzip : undefined) ?? found.identity;
  if (request.headers['if-none-match'] === answer.etag) {
    response.writeHead(304, answer.unchanged);
    return response.end();
  }
  response.writeHead(200, answer.lines);
  return response.end(answer.body);
});
server.keepAliveTimeout = 72_000;
server.listen(Number(process.env.PORT), '127.0.0.1');

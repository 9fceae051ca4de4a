/**
 * Sends lines to the step that `serve.ts` serves, as they are, and prints what comes: `curl` is too polite for attacks.
 *
 *     node --import tsx test/lessons/steps/send.ts "GET /api/todo HTTP/1.1" "Host: a" ""
 *
 * An empty line ends the head of a request. With `--end` it ends its side of the connection after the lines, and
 * `--port 8081` names another port than 8080. It waits for the server to end the connection; Ctrl+C ends it before.
 */
import { connect } from 'node:net';
import { parseArgs } from 'node:util';

const { values, positionals: lines } = parseArgs({
  allowPositionals: true,
  options: { end: { type: 'boolean' }, port: { type: 'string', default: '8080' } },
});
const socket = connect(Number(values.port), '127.0.0.1', () => {
  socket.write(lines.map((line) => `${line}\r\n`).join(''));
  if (values.end) socket.end();
});
socket.pipe(process.stdout);
socket.on('error', ({ message }) => {
  console.error(message);
  process.exitCode = 1;
});

/**
 * Sends lines unchanged to the step that `serve.ts` serves, and prints the reply. `curl` cannot send these attacks.
 *
 *     node --import tsx test/lessons/steps/send.ts "GET /api/todo HTTP/1.1" "Host: a" ""
 *
 * An empty line ends the head of a request. `--end` ends the client's side of the connection after the lines, and
 * `--port 8081` replaces the port 8080. The program waits until the server ends the connection; Ctrl+C stops it.
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

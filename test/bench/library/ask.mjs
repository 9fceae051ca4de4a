/**
 * One request, on a connection of its own unless an agent is given, for preparing and checking a server; never for
 * measuring it.
 */
import { request } from 'node:http';

/** Resolves with status, headers and the whole body. */
export function ask(port, method = 'GET', path, { body, agent = false } = {}) {
  const headers =
    body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, agent, headers }, (answer) => {
      const chunks = [];
      answer
        .on('data', (chunk) => chunks.push(chunk))
        .on('error', reject)
        .on('end', () => {
          resolve({
            status: answer.statusCode,
            headers: answer.headers,
            body: Buffer.concat(chunks),
          });
        });
    });
    asked.on('error', reject).end(body);
  });
}

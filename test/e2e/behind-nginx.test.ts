/**
 * The service behind nginx, which reuses connections to it and sends a POST only once: a closed connection causes a
 * 502.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { accepts, noProxy, TEMPORARY } from '../deploy/proxies/running-proxy.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

/** nginx listens on a socket in the working directory, so it needs no free port. */
const configuration = (port: number): string => `
  daemon off;
  master_process off;
  pid nginx.pid;
  error_log stderr;
  events {}
  http {
    access_log off;
    ${TEMPORARY}
    upstream service { server 127.0.0.1:${port}; keepalive 4; }
    server {
      listen unix:nginx.sock;
      location / {
        proxy_pass http://service;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
      }
    }
  }`;

/** In milliseconds. `SOAK_SECONDS=100` uses the default limits, 87 s for an idle connection and for a head. */
const LIMITS = process.env['SOAK_SECONDS'] === undefined ? { idleTimeout: 2000, headTimeout: 1000 } : {};
const DURATION = Number(process.env['SOAK_SECONDS'] ?? 6) * 1000;

test('D51 – ten POSTs a second through nginx, with upstream keep-alive → each is 201, on one connection', {
  skip: noProxy('nginx'),
}, async (t) => {
  const { port, service } = await serve(t, LIMITS);
  let connections = 0;
  service.server.on('connection', () => connections++);
  const folder = temporaryFolder({ 'nginx.conf': configuration(port) });
  const nginx = spawn('nginx', ['-p', folder, '-c', 'nginx.conf'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  t.after(async () => {
    nginx.kill();
    if (nginx.exitCode === null) await once(nginx, 'exit');
  });
  const socketPath = join(folder, 'nginx.sock');
  // The socket exists shortly before nginx listens.
  await until(() => accepts({ path: socketPath }), 'nginx listens');
  const post = (): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json' };
      request({ socketPath, path: '/api/todo', method: 'POST', headers }, (reply) => {
        reply.resume().once('end', () => resolve(reply.statusCode));
      })
        .once('error', reject)
        .end('{"name":"through nginx"}');
    });
  for (let left = DURATION; left > 0; left -= 100) {
    assert.equal(await post(), 201);
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  assert.equal(connections, 1);
});

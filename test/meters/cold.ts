/**
 * Measures what the first export and the first import of a process take of its memory, over what it has when it has
 * answered a small one. Each has a process of its own, of the service as a bundle: what runs the sources has grown the
 * heap before. It takes Linux, which tells the most memory of a process.
 *
 *     node --import tsx test/meters/cold.ts [MEGABYTES] [PATH OF ANOTHER NODE]
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { ESBUILD_OPTIONS } from '../release/esbuild-options.ts';

const BYTES = Number(process.argv[2] ?? 50) * 1e6;
const execPath = process.argv[3] ?? process.execPath;
/** How often each is measured; the worst is told. */
const RUNS = 3;
const BLOCK = Buffer.alloc(2 ** 18, 'x');
const FORM = ['--XX\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n', '\r\n--XX--\r\n'] as const;

interface Question {
  readonly path: string;
  readonly accept?: string;
  /** What stands around the bytes that are sent. */
  readonly around?: readonly [before: string, after: string];
  readonly type?: string;
}

/** Sends it, and reads the answer to its end. */
async function send(url: string, { path, accept, around, type }: Question, bytes: number): Promise<void> {
  function* body() {
    if (around === undefined) return;
    yield around[0];
    for (let left = bytes; left > 0; left -= BLOCK.length) yield BLOCK.subarray(0, left);
    yield around[1];
  }
  const method = around === undefined ? 'GET' : 'POST';
  const headers = { ...(accept && { Accept: accept }), ...(type && { 'Content-Type': type }) };
  const sent = request(`${url}/${path}`, { method, headers, agent: false });
  const answered = once(sent, 'response').then(async ([reply]) => {
    for await (const _ of reply);
    assert.equal(reply.statusCode, 200, path);
  });
  await Promise.all([answered, pipeline(Readable.from(body()), sent)]);
}

const folder = mkdtempSync(join(tmpdir(), 'cold-'));
const service = join(folder, 'service.mjs');
const entry = fileURLToPath(new URL('cold-service.ts', import.meta.url));
buildSync({ ...ESBUILD_OPTIONS, entryPoints: [entry], outfile: service, format: 'esm' });

/** In mebibytes. */
async function memoryOf(question: Question): Promise<{ rest: number; peak: number }> {
  const child = fork(service, [String(BYTES)], { execPath, execArgv: [] });
  const status = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024;
  try {
    const [url] = (await once(child, 'message')) as [string];
    await send(url, { path: 'raw', around: ['', ''], type: 'application/octet-stream' }, 1000);
    const rest = status('VmRSS');
    // The most that it had begins again with what it has.
    writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
    await send(url, question, BYTES);
    return { rest, peak: status('VmHWM') };
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

const octets = { around: ['', ''], type: 'application/octet-stream' } as const;
const form = { around: FORM, type: 'multipart/form-data; boundary=XX' } as const;
const TYPES = { JSON: 'application/json', CSV: 'text/csv', NDJSON: 'application/x-ndjson' };
const QUESTIONS: readonly (readonly [what: string, question: Question])[] = [
  ...Object.entries(TYPES).flatMap(([name, accept]) => [
    [`export of ${name}`, { path: 'readings', accept }] as const,
    [`export of ${name}, asynchronous rows`, { path: 'readings-later', accept }] as const,
  ]),
  ['import as it is', { path: 'raw', ...octets }],
  ['import as it is, slow handler', { path: 'slow-raw', ...octets }],
  ['import through a form', { path: 'form', ...form }],
  ['import through a form, slow handler', { path: 'slow-form', ...form }],
];

try {
  console.log(`\n${execPath}, ${BYTES / 1e6} MB, the worst of ${RUNS}\n`);
  console.log('| | Memory over rest |\n| --- | --- |');
  for (const [what, question] of QUESTIONS) {
    const runs = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await memoryOf(question));
    const over = Math.max(...runs.map(({ rest, peak }) => peak - rest));
    console.log(`| ${what} | ${over.toFixed(0)} MiB over ${runs[0]!.rest.toFixed(0)} |`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

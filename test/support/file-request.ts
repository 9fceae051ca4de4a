/** Requests a file from stages without a socket, and reads the whole reply. */
import type { Context } from '../../src/core/http/context.ts';
import { contextWith } from '../../src/core/http/context-with.ts';
import { flat } from '../../src/core/http/headers/header-lines.ts';
import type { Reply } from '../../src/core/http/reply.ts';
import { pipeline } from '../../src/core/pipeline/pipeline.ts';
import { problems } from '../../src/core/pipeline/problems.ts';
import type { Pipeline } from '../../src/core/pipeline/stage.ts';
import { testContext } from './test-context.ts';

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly text: string;
  /** The reply that the stages returned. */
  readonly reply: Reply;
}

/** Creates a context with this path unchanged, even if the server would refuse or normalize it. */
export function fileContext(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Context {
  return contextWith(testContext('/', { headers, method }), { path });
}

/** Runs the stages between `problems()` and the default 404, and returns the answer. */
export async function ask(
  stages: Pipeline,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Answer> {
  const reply = await pipeline([problems(() => {}), ...stages])(fileContext(path, headers, method));
  const lines = flat(reply.headers);
  const named: Record<string, string> = {};
  for (let at = 0; at < lines.length; at += 2) named[lines[at]!.toLowerCase()] = lines[at + 1]!;
  const body = method === 'HEAD' ? Buffer.alloc(0) : await bytesOf(reply.body);
  return { status: reply.status, headers: named, body, text: body.toString(), reply };
}

async function bytesOf(body: Reply['body']): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0);
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body as string);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

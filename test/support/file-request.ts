/** Asks stages for a file without a socket, and reads the whole reply. */
import type { Context } from '../../src/core/message/context.ts';
import { contextAt } from '../../src/core/message/context-with.ts';
import { flat } from '../../src/core/message/headers/header-lines.ts';
import { sentPath } from '../../src/core/message/path.ts';
import type { Reply } from '../../src/core/message/reply.ts';
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
  /** As the stages made it. */
  readonly reply: Reply;
}

/** A request as stages see it, for this path as it is, whatever the server would make of it. */
export function fileContext(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Context {
  return contextAt(testContext('/', { headers, method }), sentPath(path), '');
}

/** The answer of the stages, `problems()` in front of them and the usual 404 behind. */
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

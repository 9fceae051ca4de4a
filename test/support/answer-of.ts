/** Sends a request to a handler or an application in memory, as `application.request` does, and reads the whole reply. */
import type { Handler } from '../../src/core/http/context.ts';
import { requester } from '../../src/core/server/in-memory.ts';
import type { Servable } from '../../src/core/server/served.ts';

/** The request. The default method is GET. A text body has no media type unless a header sets it. */
export interface Asked {
  readonly method?: string | undefined;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | undefined;
}

/** The reply. The names of its headers are in lower case. */
export interface WholeReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export async function answerOf(
  served: Handler | Servable,
  { method, path, headers, body }: Asked,
): Promise<WholeReply> {
  const servable = typeof served === 'function' ? { handler: served } : served;
  const request = requester(() => ({ ...servable, stopping: new AbortController().signal }));
  const bytes = body === undefined ? undefined : Buffer.from(body as string);
  const reply = await request(path, { method, headers, body: bytes });
  return { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.text() };
}

/** Declares the replies that handlers of routes and of operations may return alike, and makes their headers (D75). */
import type { ReplyBody } from './context.ts';

/** A reply that an operation may return as an answer too: it has an object of headers, and its status in its type. */
export interface PlainReply<Status extends number = number, Body extends ReplyBody = ReplyBody> {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
}

/** The headers of a plain reply: those given, in any case, in place of the defaults, a flat list. */
export function plainHeaders(
  defaults: readonly string[],
  given: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const headers: Record<string, string> = {};
  for (let at = 0; at < defaults.length; at += 2)
    if (!names.has(defaults[at]!.toLowerCase())) headers[defaults[at]!] = defaults[at + 1]!;
  return Object.assign(headers, given);
}

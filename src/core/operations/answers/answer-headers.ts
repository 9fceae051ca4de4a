/** Reads and changes the headers that a handler gave its answer. Their names may be in any case. */
import type { Answer } from '../operation/answers.ts';

/** These header lines, without those that the answer has itself. */
export function withDefaults(lines: readonly string[], { headers }: Answer): string[] {
  if (headers === undefined) return [...lines];
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return lines.filter((_, at) => !own.has(lines[at - (at % 2)]!.toLowerCase()));
}

/** The ETag that a handler gave its answer. */
export function tagOf({ headers }: Answer): string | undefined {
  for (const name in headers) if (name.toLowerCase() === 'etag') return headers[name];
  return undefined;
}

/** The answer with a tag of its own for this media type: a strong one is that of one representation (D8). */
export function withTagOf(answer: Answer, mediaType: number): Answer {
  const tag = tagOf(answer);
  if (tag === undefined) return answer;
  const others = Object.entries(answer.headers!).filter(([name]) => name.toLowerCase() !== 'etag');
  return { ...answer, headers: { ...Object.fromEntries(others), ETag: tag.replace(/"$/, `-${mediaType}"`) } };
}

/** A 304 has neither the length nor the type of a body (RFC 9110 §15.4.5). */
export function withoutContent(answer: Answer): Answer {
  const lines = Object.entries(answer.headers ?? {}).filter(([name]) => !/^content-(?:length|type)$/i.test(name));
  return { ...answer, headers: Object.fromEntries(lines) };
}

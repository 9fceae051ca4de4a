/** Checks the header lines of a handler that describe the body. */
import { Readable } from 'node:stream';
import { isInRanges, parseContentType } from '../../core/http/headers/content-type.ts';
import { isContentLength, isOfContent } from '../../core/http/headers/header-lines.ts';
import { quoted } from '../../core/options/assert-options.ts';
import type { ResponseDeclaration } from '../operation/operation.ts';
import type { Result } from '../operation/results.ts';
import { sentMediaTypes } from './body-writers.ts';

/**
 * Returns the fault in a header that the library derives from the body. If the response declares media types, the
 * handler may set `Content-Type` to such a type, and the `Content-Length` of a stream.
 */
export function contentFault({ status, value }: Result, lines: readonly string[], response: ResponseDeclaration) {
  const declared = sentMediaTypes(response);
  for (let at = 0; at < lines.length; at += 2) {
    const [name, text] = [lines[at]!, lines[at + 1]!];
    if (!isOfContent(name)) continue;
    const isLength = isContentLength(name);
    const type = parseContentType(text)?.type ?? '';
    const isDeclared = isLength ? value instanceof Readable : !type.endsWith('/*') && isInRanges(type, declared);
    if (declared.length > 0 && isDeclared) continue;
    if (isLength || declared.length === 0) return `the header ${name}, which follows from the body; leave it out`;
    const types = declared.map(quoted).join(', ');
    return `a ${status} of the type ${quoted(text)}, but it declares ${types}; correct one of the two`;
  }
  return undefined;
}

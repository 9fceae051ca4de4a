/** Reads a body that is not JSON, as its operation declares it (D74). */

import { Context } from '../../core/message/context.ts';
import { noBody } from '../../core/wire/body/body-fault.ts';
import { limitedBody, longestBody, streamedBody } from '../../core/wire/body/body-limit.ts';
import { type Limits, memoryFor } from '../../core/wire/connection/limits.ts';
import { acceptedMediaType, announcesBody } from './accepted-media-type.ts';
import { multipartParts, urlEncodedParts } from './parse-form.ts';
import { formReader } from './read-form.ts';
import { refusedMediaType } from './refused-media-type.ts';
import { type FormBody, MULTIPART, type Upload, uploadKind } from './upload.ts';

/** Gives the value for the handler. Rejects with an `HttpProblem`: 400, 408, 413, 415 or 503. */
export type UploadReader = (context: Context) => Promise<unknown>;

/** What the files and texts of a form take beside its bytes while they are made, in lengths of the body. */
const FORM_COPIES = 2;

/** Throws a `RangeError` where a body within its limit can never fit into `maxBodyMemory`. */
export function assertFits(upload: Upload, id: string, limits: Limits): void {
  const { [uploadKind]: kind, maxBytes = limits.maxBody } = upload;
  const copies = kind === 'form' ? FORM_COPIES : 0;
  const longest = longestBody(limits, copies);
  if (kind === 'stream' || maxBytes <= longest) return;
  throw new RangeError(
    `Cannot serve the operation "${id}" within maxBodyMemory "${limits.maxBodyMemory}": a body of ${maxBytes} bytes takes ` +
      `${kind === 'form' ? 'four times' : 'twice'} that, and 64 KiB; raise limits.maxBodyMemory to at least ` +
      `${memoryFor(0) + (2 + copies) * maxBytes}, or give the body a maxBytes of at most ${longest}`,
  );
}

/** The reader of these bodies. It begins to read at once. */
export function uploadReader(upload: Upload): UploadReader {
  const { mediaTypes, maxBytes } = upload;
  // Before a client that waits for 100 Continue has sent anything.
  const refuseEarly = (context: Context): void => {
    if (announcesBody(context)) accepted(context, upload);
  };
  switch (upload[uploadKind]) {
    case 'bytes':
      return async (context) => {
        refuseEarly(context);
        const bytes = await limitedBody(context, maxBytes, 0);
        if (bytes.length === 0) throw noBody();
        acceptedMediaType(context, mediaTypes);
        return bytes;
      };
    case 'stream':
      return async (context) => {
        refuseEarly(context);
        return streamedBody(context, maxBytes);
      };
    case 'form': {
      const read = formReader((upload as FormBody).fields);
      return async (context) => {
        refuseEarly(context);
        const bytes = await limitedBody(context, maxBytes, FORM_COPIES);
        if (bytes.length === 0) throw noBody();
        const boundary = accepted(context, upload);
        const parts = boundary === undefined ? urlEncodedParts(bytes) : await multipartParts(bytes, boundary);
        return read(parts, Context.stateOf(context));
      };
    }
  }
}

/** RFC 2046 §5.1.1. */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/** The boundary of a multipart form; undefined for any other body. Throws an `HttpProblem` 415. */
function accepted(context: Context, upload: Upload): string | undefined {
  const { type, parameters } = acceptedMediaType(context, upload.mediaTypes);
  if (upload[uploadKind] !== 'form' || type !== MULTIPART) return undefined;
  const boundary = parameters.find(([name]) => name === 'boundary')?.[1];
  if (boundary !== undefined && BOUNDARY.test(boundary)) return boundary;
  const fault = boundary === undefined ? 'has no boundary' : 'has a boundary that cannot be one';
  throw refusedMediaType(context.method, `The Content-Type ${fault}`, upload.mediaTypes.join(', '));
}

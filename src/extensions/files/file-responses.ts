/** Declares the responses of an operation that answers with `file` (D75). */
const etag = {
  ETag: { type: 'string', description: 'Names this state of the file; send it in If-None-Match', always: true },
} as const;
const range = (description: string) => ({ 'Content-Range': { type: 'string', description, always: true } }) as const;

/**
 * Every status of `file`, to be spread into the `responses` of an operation.
 *
 *     operation({
 *       method: 'GET',
 *       path: 'report',
 *       responses: { ...fileResponses('application/pdf') },
 *       handle: ({ context }) => file(context, 'report.pdf'),
 *     });
 */
export const fileResponses = <const MediaType extends string>(mediaType: MediaType) =>
  ({
    200: { description: 'The file', mediaType, headers: etag },
    206: {
      description: 'The part of the file that Range asks for',
      mediaType,
      headers: { ...etag, ...range('Which bytes these are, and how many there are') },
    },
    304: { description: 'If it is what If-None-Match names', headers: etag },
    404: { description: 'If there is no such file' },
    412: { description: 'If it is not what If-Match names' },
    416: {
      description: 'If the file has no such part',
      headers: range('How many bytes there are'),
    },
  }) as const;

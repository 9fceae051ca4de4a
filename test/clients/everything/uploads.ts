/** A body of each kind that is not JSON. Each operation answers what arrived. */
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { type Controller, ok, operation } from '../../../src/index.ts';
import { byteStream, bytes, form } from '../../../src/operations/uploads/upload.ts';

const Arrived = { type: 'object', properties: { length: { type: 'integer' }, hash: { type: 'string' } } } as const;

const sendPicture = operation({
  method: 'POST',
  path: 'picture',
  summary: 'Answers how long a picture is.',
  body: bytes('image/png', 'image/*'),
  bodyParameter: { name: 'picture', description: 'The picture' },
  responses: { 200: { schema: Arrived } },
  handle: ({ body }) => ok({ length: body.length }),
});

const sendStream = operation({
  method: 'PUT',
  path: 'stream',
  summary: 'Answers the hash of a stream.',
  body: byteStream('application/octet-stream'),
  responses: { 200: { schema: Arrived } },
  async handle({ body }) {
    const hash = createHash('sha256');
    await pipeline(body, hash);
    return ok({ hash: hash.digest('hex') });
  },
});

const Photo = {
  type: 'object',
  required: ['title', 'photo'],
  properties: {
    title: { type: 'string' },
    stars: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    ids: { type: 'array', items: { type: 'integer' } },
    photo: { type: 'string' },
    size: { type: 'integer' },
  },
} as const;

const sendPhoto = operation({
  method: 'POST',
  path: 'photos',
  summary: 'Answers a form with files.',
  body: form({
    title: { type: 'string', maxLength: 20, required: true, description: 'The title' },
    stars: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
    tags: { type: 'array', items: { type: 'string', minLength: 1 } },
    ids: { type: 'array', items: { type: 'integer' }, collectionFormat: 'csv' },
    photo: { type: 'file', required: true, mediaTypes: ['image/*'], maxBytes: 1000, description: 'The photo' },
    more: { type: 'file' },
  }),
  responses: { 200: { schema: Photo } },
  async handle({ body: { photo, more, ...texts } }) {
    return ok({ ...texts, photo: photo.name, size: photo.size + (more?.size ?? 0) });
  },
});

const sendNote = operation({
  method: 'POST',
  path: 'notes',
  summary: 'Answers a form without files.',
  body: form({
    text: { type: 'string', required: true },
    stars: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  }),
  responses: { 200: { schema: { type: 'object' } } },
  handle: ({ body }) => ok({ ...body }),
});

export const uploads: Controller = {
  name: 'Uploads',
  path: 'api/uploads',
  operations: [sendPicture, sendStream, sendPhoto, sendNote],
};

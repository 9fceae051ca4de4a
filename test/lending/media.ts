/** Photos in memory, whose media type the uploader decides, and manuals on the disk, which are sent in ranges. */
import { controller, notFound, ok, stream } from '../../src/index.ts';
import { form } from '../../src/operations/uploads/upload.ts';
import { file, fileResponses } from '../../src/plugins/files/files.ts';
import type { Access } from './access.ts';
import type { House } from './house.ts';

const IMAGES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** Returns the controller. `manuals` is a folder with a file for each kind of device. */
export const mediaController = (house: House, { staff, session }: Access, manuals: URL) =>
  controller({
    name: 'Photos',
    path: 'devices/{serial:serial}',
    operations: (operation) => [
      operation({
        method: 'GET',
        path: 'photo',
        responses: { 200: { mediaTypes: IMAGES }, 404: {} },
        handle({ values: { serial } }) {
          const photo = house.photos.get(serial);
          return photo === undefined
            ? notFound(`${serial} has no photo`)
            : stream(photo.stream(), { mediaType: photo.type });
        },
      }),
      operation({
        method: 'POST',
        path: 'photo',
        security: [staff, session],
        body: form({
          title: { type: 'string', maxLength: 80, required: true },
          photo: { type: 'file', mediaTypes: IMAGES, maxBytes: 500_000, required: true },
        }),
        responses: { 200: { schema: { type: 'string' } } },
        handle({ values: { serial }, body: { title, photo } }) {
          house.photos.set(serial, photo);
          return ok(title);
        },
      }),
      operation({
        method: 'GET',
        path: 'manual',
        summary: 'Returns the manual, or the part of it that Range requests',
        security: [staff, session],
        responses: fileResponses('text/plain', 'application/pdf'),
        async handle({ context, values: { serial } }) {
          const kind = await house.devices.kind(serial);
          return file(context, kind === 'camera' ? 'camera.pdf' : `${kind}.txt`, { root: manuals });
        },
      }),
    ],
  });

import { description } from '../../../src/extensions/description/description.ts';
import { form } from '../../../src/extensions/uploads/upload.ts';
import { application, ok, operation, type Plugin } from '../../../src/index.ts';

const photos: Plugin = {
  name: 'photos',
  controllers: [
    {
      name: 'Photos',
      path: 'photos',
      operations: [
        operation({
          method: 'POST',
          path: '',
          body: form({
            title: { type: 'string', maxLength: 20, required: true },
            photo: { type: 'file', mediaTypes: ['image/png'], maxBytes: 100_000, required: true },
          }),
          responses: { 200: { schema: { type: 'string' } } },
          handle: ({ body }) => ok(`${body.title}: ${body.photo.name}, ${body.photo.size} bytes`),
        }),
      ],
    },
  ],
};

export const app = application([photos, description({ title: 'Photos' })]);

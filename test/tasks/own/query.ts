import { description } from '../../../src/extensions/description/description.ts';
import { application, ok, operation, type Plugin } from '../../../src/index.ts';

const devices: Plugin = {
  name: 'devices',
  controllers: [
    {
      name: 'Devices',
      path: 'devices',
      operations: [
        operation({
          method: 'GET',
          path: '',
          query: {
            kind: { type: 'string', enum: ['camera', 'tripod'] },
            size: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
            since: { type: 'string', format: 'date' },
            tag: { type: 'array', items: { type: 'string', maxLength: 10 }, default: [] },
          },
          responses: { 200: { schema: { type: 'string' } } },
          handle: ({ query }) =>
            ok(`${query.size} ${query.kind ?? 'any'} ${query.since ?? '-'} ${query.tag.join('+')}`),
        }),
      ],
    },
  ],
};

export const app = application([devices, description({ title: 'Devices' })]);

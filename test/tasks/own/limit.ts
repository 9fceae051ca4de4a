import { application, description, ok, operation, type Plugin, rateLimit } from '../../../src/index.ts';

const jobs: Plugin = {
  name: 'jobs',
  controllers: [
    {
      name: 'Jobs',
      path: 'jobs',
      operations: [
        operation({
          method: 'POST',
          path: '',
          responses: { 200: { schema: { type: 'string' } } },
          handle: () => ok('done'),
        }),
      ],
    },
  ],
};

export const app = application([rateLimit({ limit: 3, window: 60_000 }), jobs, description({ title: 'Jobs' })], {
  trustedProxies: ['loopback'],
});

import { description } from '../../../src/extensions/description/description.ts';
import { rateLimit } from '../../../src/extensions/rate-limit/rate-limit.ts';
import { application, ok, operation, type Plugin } from '../../../src/index.ts';

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

import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { rateLimiter } from 'hono-rate-limiter';

export const app = new OpenAPIHono();
app.use(
  rateLimiter({
    windowMs: 60_000,
    limit: 3,
    keyGenerator: (c) => c.req.header('x-forwarded-for') ?? '',
  }),
);

app.openapi(
  createRoute({
    method: 'post',
    path: '/jobs',
    responses: {
      200: { content: { 'application/json': { schema: z.string() } }, description: 'The job' },
      429: { description: 'If the client has sent too many requests' },
    },
  }),
  (c) => c.json('done', 200),
);
app.doc31('/openapi.json', { openapi: '3.1.0', info: { title: 'Jobs', version: '1' } });

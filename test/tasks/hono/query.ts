import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';

export const app = new OpenAPIHono();

app.openapi(
  createRoute({
    method: 'get',
    path: '/devices',
    request: {
      query: z.object({
        kind: z.enum(['camera', 'tripod']).optional(),
        size: z.coerce.number().int().min(1).max(100).default(20),
        since: z.iso.date().optional(),
        tag: z.preprocess(
          (value) => (typeof value === 'string' ? [value] : value),
          z.array(z.string().max(10)).default([]),
        ),
      }),
    },
    responses: { 200: { content: { 'application/json': { schema: z.string() } }, description: 'The devices' } },
  }),
  (c) => {
    const query = c.req.valid('query');
    return c.json(`${query.size} ${query.kind ?? 'any'} ${query.since ?? '-'} ${query.tag.join('+')}`, 200);
  },
);
app.doc31('/openapi.json', { openapi: '3.1.0', info: { title: 'Devices', version: '1' } });

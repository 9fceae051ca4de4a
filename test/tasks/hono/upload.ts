import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';

const Photo = z.object({
  title: z.string().max(20),
  photo: z.file().mime(['image/png']).max(100_000).openapi({ type: 'string', format: 'binary' }),
});

export const app = new OpenAPIHono();

app.openapi(
  createRoute({
    method: 'post',
    path: '/photos',
    middleware: [bodyLimit({ maxSize: 110_000 })] as const,
    request: { body: { content: { 'multipart/form-data': { schema: Photo } }, required: true } },
    responses: {
      200: { content: { 'application/json': { schema: z.string() } }, description: 'The photo' },
      413: { description: 'If the form is too large' },
    },
  }),
  (c) => {
    const { title, photo } = c.req.valid('form');
    return c.json(`${title}: ${photo.name}, ${photo.size} bytes`, 200);
  },
);
app.doc31('/openapi.json', { openapi: '3.1.0', info: { title: 'Photos', version: '1' } });

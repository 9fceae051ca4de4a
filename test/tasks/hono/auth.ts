import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { bearerAuth } from 'hono/bearer-auth';
import { createMiddleware } from 'hono/factory';
import { HOLDERS, type Holder } from '../shared.ts';

type Env = { Variables: { holder: Holder } };

const User = z.object({ name: z.string(), department: z.enum(['film', 'news']) }).openapi('User');

const refusal = (description: string) => ({ content: { 'text/plain': { schema: z.string() } }, description });

const signedIn = bearerAuth<Env>({
  verifyToken(token, c) {
    const holder = HOLDERS.get(token);
    if (holder === undefined) return false;
    c.set('holder', holder);
    return true;
  },
});
const isKeeper = createMiddleware<Env>(async (c, next) => {
  if (!c.get('holder').roles.includes('keeper')) return c.text('Only keepers', 403);
  return next();
});

export const app = new OpenAPIHono<Env>();
app.openAPIRegistry.registerComponent('securitySchemes', 'Bearer', { type: 'http', scheme: 'bearer' });

app.openapi(
  createRoute({
    method: 'get',
    path: '/me',
    security: [{ Bearer: [] }],
    middleware: [signedIn] as const,
    responses: {
      200: { content: { 'application/json': { schema: User } }, description: 'The user' },
      401: refusal('Without a valid token'),
    },
  }),
  (c) => {
    const user = c.get('holder').identity;
    return c.json({ name: user.name, department: user.department }, 200);
  },
);
app.openapi(
  createRoute({
    method: 'get',
    path: '/keys',
    security: [{ Bearer: [] }],
    middleware: [signedIn, isKeeper] as const,
    responses: {
      200: { content: { 'application/json': { schema: z.array(z.string()) } }, description: 'The keys' },
      401: refusal('Without a valid token'),
      403: refusal('If the user is no keeper'),
    },
  }),
  (c) => c.json(['north', 'south'], 200),
);
app.doc31('/openapi.json', { openapi: '3.1.0', info: { title: 'Users', version: '1' } });

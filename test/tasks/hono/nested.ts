import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { DEVICES } from '../shared.ts';

const Device = z.object({ name: z.string(), loans: z.string() }).openapi('Device');
const Wish = z.object({ until: z.iso.date() }).openapi('Wish');
const Loan = Wish.extend({ device: z.string() }).openapi('Loan');
const json = <S extends z.ZodType>(schema: S) => ({ 'application/json': { schema } });
const noDevice = { content: json(z.object({ message: z.string() })), description: 'If there is none' };

const loans = new Map<string, { readonly serial: string; readonly until: string }>();
const linkOf = (serial: string) => `/api/devices/${encodeURIComponent(serial)}`;

const lending = new OpenAPIHono();
lending.openapi(
  createRoute({
    method: 'get',
    path: '/devices/{serial}',
    request: { params: z.object({ serial: z.string() }) },
    responses: { 200: { content: json(Device), description: 'The device' }, 404: noDevice },
  }),
  (c) => {
    const { serial } = c.req.valid('param');
    const name = DEVICES.get(serial);
    if (name === undefined) return c.json({ message: `There is no device ${serial}` }, 404);
    return c.json({ name, loans: `${linkOf(serial)}/loans` }, 200);
  },
);
lending.openapi(
  createRoute({
    method: 'get',
    path: '/devices/{serial}/loans/{id}',
    request: { params: z.object({ serial: z.string(), id: z.string() }) },
    responses: { 200: { content: json(Loan), description: 'The loan' }, 404: noDevice },
  }),
  (c) => {
    const { serial, id } = c.req.valid('param');
    const loan = loans.get(id);
    if (loan?.serial !== serial) return c.json({ message: `There is no loan ${id} of ${serial}` }, 404);
    return c.json({ until: loan.until, device: linkOf(serial) }, 200);
  },
);
lending.openapi(
  createRoute({
    method: 'post',
    path: '/devices/{serial}/loans',
    request: {
      params: z.object({ serial: z.string() }),
      body: { content: json(Wish), required: true },
    },
    responses: { 201: { content: json(Loan), description: 'The loan' }, 404: noDevice },
  }),
  (c) => {
    const { serial } = c.req.valid('param');
    const { until } = c.req.valid('json');
    if (!DEVICES.has(serial)) return c.json({ message: `There is no device ${serial}` }, 404);
    const id = String(loans.size + 1);
    loans.set(id, { serial, until });
    c.header('Location', `${linkOf(serial)}/loans/${id}`);
    return c.json({ until, device: linkOf(serial) }, 201);
  },
);

export const app = new OpenAPIHono();
app.route('/api', lending);
app.doc31('/openapi.json', { openapi: '3.1.0', info: { title: 'Lending', version: '1' } });

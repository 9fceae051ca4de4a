import { description } from '../../../src/extensions/description/description.ts';
import { application, created, mounted, notFound, ok, operation, type Plugin, schema } from '../../../src/index.ts';
import { DEVICES } from '../shared.ts';

const LINK = { type: 'string' } as const;
const DEVICE = schema('Device', {
  type: 'object',
  required: ['name', 'loans'],
  properties: { name: { type: 'string' }, loans: LINK },
});
const WISH = schema('Wish', {
  type: 'object',
  required: ['until'],
  properties: { until: { type: 'string', format: 'date' } },
});
const LOAN = schema('Loan', {
  type: 'object',
  required: ['until', 'device'],
  properties: { ...WISH.properties, device: LINK },
});

const loans = new Map<string, { readonly serial: string; readonly until: string }>();
const noDevice = (serial: string) => notFound(`There is no device ${serial}`);

const readDevice = operation({
  method: 'GET',
  path: '{serial}',
  responses: { 200: { schema: DEVICE }, 404: {} },
  handle({ values: { serial }, link }) {
    const name = DEVICES.get(serial);
    return name === undefined ? noDevice(serial) : ok({ name, loans: link(() => lend) });
  },
});
const readLoan = operation({
  method: 'GET',
  path: '{serial}/loans/{id}',
  responses: { 200: { schema: LOAN }, 404: {} },
  handle({ values: { serial, id }, link }) {
    const loan = loans.get(id);
    if (loan?.serial !== serial) return notFound(`There is no loan ${id} of ${serial}`);
    return ok({ until: loan.until, device: link(readDevice) });
  },
});
const lend = operation({
  method: 'POST',
  path: '{serial}/loans',
  body: WISH,
  responses: { 201: { schema: LOAN, location: readLoan }, 404: {} },
  handle({ values: { serial }, body, link }) {
    if (!DEVICES.has(serial)) return noDevice(serial);
    const id = String(loans.size + 1);
    loans.set(id, { serial, until: body.until });
    return created({ until: body.until, device: link(readDevice) }, readLoan, { serial, id });
  },
});

const lending: Plugin = {
  name: 'lending',
  controllers: [{ name: 'Devices', path: 'devices', operations: [readDevice, readLoan, lend] }],
};

export const app = application([mounted('api', lending), description({ title: 'Lending' })]);

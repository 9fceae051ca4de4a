/** The schemas and bodies with which the schema engine and its peers are measured. */

const todo = {
  type: 'object',
  properties: {
    key: { type: 'string' },
    name: { type: 'string', 'x-nullable': true },
    isComplete: { type: 'boolean', default: false },
  },
};

const order = {
  type: 'object',
  required: ['id', 'number', 'status', 'placedAt', 'customer', 'address', 'lines'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    number: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{6}$' },
    status: { type: 'string', enum: ['open', 'paid', 'sent', 'returned'] },
    placedAt: { type: 'string', format: 'date-time' },
    dueOn: { type: 'string', format: 'date' },
    customer: { type: 'string', minLength: 1, maxLength: 80 },
    email: { type: 'string', format: 'email' },
    priority: { type: 'integer', format: 'int32', minimum: 1, maximum: 5 },
    discount: { type: 'number', minimum: 0, exclusiveMaximum: 1 },
    isGift: { type: 'boolean', default: false },
    note: { type: 'string', 'x-nullable': true, maxLength: 500 },
    address: {
      type: 'object',
      required: ['street', 'city', 'country'],
      properties: {
        street: { type: 'string', minLength: 1, maxLength: 100 },
        city: { type: 'string', minLength: 1, maxLength: 60 },
        country: { type: 'string', pattern: '^[A-Z]{2}$' },
      },
    },
    lines: {
      type: 'array',
      minItems: 1,
      maxItems: 50,
      items: {
        type: 'object',
        required: ['article', 'quantity', 'price'],
        properties: {
          article: { type: 'string', minLength: 3, maxLength: 20 },
          quantity: { type: 'integer', minimum: 1, maximum: 999 },
          price: { type: 'number', minimum: 0 },
        },
      },
    },
  },
};

const kind = (value) => ({ type: 'string', const: value });
const cents = { type: 'integer', minimum: 1 };
const payments = (schema) => ({
  oneOf: [
    schema('Card', {
      type: 'object',
      required: ['kind', 'number', 'cents'],
      properties: { kind: kind('card'), number: { type: 'string', pattern: '^[0-9]{16}$' }, cents },
    }),
    schema('Transfer', {
      type: 'object',
      required: ['kind', 'iban', 'cents'],
      properties: { kind: kind('transfer'), iban: { type: 'string', minLength: 15, maxLength: 34 }, cents },
    }),
    schema('Cash', { type: 'object', required: ['kind', 'cents'], properties: { kind: kind('cash'), cents } }),
  ],
  discriminator: { propertyName: 'kind' },
});

const digits = (value, length) => String(value).padStart(length, '0');
const uuid = (at) => `7d9f6a4e-0c2b-4a59-9a3d-${digits(at, 12)}`;

const todoBody = (at) => ({ key: uuid(at), name: `Walk the dog ${at}`, isComplete: at % 2 === 0 });

/** Every second one leaves out what has a default. */
const orderBody = (at) => ({
  id: uuid(at),
  number: `DE-${digits(at, 6)}`,
  status: ['open', 'paid', 'sent', 'returned'][at % 4],
  placedAt: `2026-11-22T${digits(at % 24, 2)}:05:00Z`,
  dueOn: `2026-12-${digits(1 + (at % 31), 2)}`,
  customer: `Customer number ${at}`,
  email: `customer.${at}@example.com`,
  priority: 1 + (at % 5),
  discount: (at % 10) / 20,
  ...(at % 2 === 0 && { isGift: true, note: 'Please ring twice' }),
  address: { street: `Long Road ${at}`, city: 'Springfield', country: 'DE' },
  lines: Array.from({ length: 3 }, (_, line) => ({
    article: `A-${digits(at + line, 4)}`,
    quantity: 1 + line,
    price: 19.99 + line,
  })),
});

const paymentBody = (at) =>
  [
    { kind: 'card', number: digits(at, 16), cents: 100 + at },
    { kind: 'transfer', iban: `DE${digits(at, 20)}`, cents: 100 + at },
    { kind: 'cash', cents: 100 + at },
  ][at % 3];

const wrongBody = (at) => ({
  ...orderBody(at),
  id: `number ${at}`,
  number: 'de-1',
  status: 'lost',
  placedAt: '2026-13-22T05:05:00Z',
  customer: '',
  email: 'nobody',
  priority: 6,
  discount: '10%',
  address: { street: 'Long Road', country: 'Germany' },
  lines: [{ article: 'A-0001', quantity: 0, price: -1 }],
});

const bodies = (count, body) => Array.from({ length: count }, (_, at) => body(at));

/** `schema` is the function of the library that names a schema. */
export const schemaCases = (schema) => ({
  'to-do item': { schema: todo, bodies: bodies(256, todoBody) },
  order: { schema: order, bodies: bodies(256, orderBody) },
  '100 orders': {
    schema: { type: 'array', items: order },
    bodies: bodies(4, (at) => bodies(100, (line) => orderBody(100 * at + line))),
  },
  'one of three, by discriminator': { schema: payments(schema), bodies: bodies(256, paymentBody) },
  'wrong order': { schema: order, bodies: bodies(256, wrongBody), isWrong: true },
});

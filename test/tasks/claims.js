/** What each program is said to have typed and described, and which libraries hold it. `count.js` checks each claim. */

/** A wrong word in a program: where the compiler finds it, what was replaced is typed. */
const typed = (task, what, words, holds) => ({ task, what, words, holds: holds.split(' ') });
const ALL = 'own fastify hono';

export const TYPED = [
  typed('auth', 'the user', { all: ['user.department', 'user.departmen'] }, ALL),
  typed('auth', 'the reply', { all: ['department: user.department', 'department: 5'] }, ALL),
  typed('query', 'a parameter', { all: ['query.kind', 'query.kint'] }, ALL),
  typed('query', 'its type', { all: ['query.size}', 'query.size.trim()}'] }, ALL),
  typed('query', 'one that may be missing', { all: ["query.since ?? '-'", 'query.since.trim()'] }, ALL),
  typed(
    'nested',
    'the values of the path',
    {
      own: ["'{serial}/loans/{id}'", "'{serial}/loans/{key}'"],
      fastify: ['loans/:id', 'loans/:key'],
      hono: ['loans/{id}', 'loans/{key}'],
    },
    'own',
  ),
  typed(
    'nested',
    'the body',
    {
      own: ['body.until', 'body.untill'],
      fastify: ['{ until } =', '{ untill: until } ='],
      hono: ['{ until } =', '{ untill: until } ='],
    },
    ALL,
  ),
  typed('nested', 'a member of the reply', { all: ['until: loan.until', 'until: 5'] }, ALL),
  typed(
    'nested',
    'the status',
    {
      own: ['? noDevice(serial) :', '? problem(409, serial) :'],
      fastify: ['code(404)', 'code(409)'],
      hono: ['}, 404)', '}, 409)'],
    },
    ALL,
  ),
  typed(
    'upload',
    'a text of the form',
    {
      own: ['body.title', 'body.titel'],
      fastify: ['{ title,', '{ titel: title,'],
      hono: ['{ title,', '{ titel: title,'],
    },
    ALL,
  ),
  typed(
    'upload',
    'the file',
    {
      own: ['photo.size', 'photo.seize'],
      fastify: ['photo.filename', 'photo.filenam'],
      hono: ['photo.size', 'photo.seize'],
    },
    ALL,
  ),
  typed(
    'events',
    'the form of an event',
    {
      own: ['yield item', 'yield { event: 5, data: 1 }'],
      fastify: ['send(item)', 'send({ event: 5, data: 1 })'],
      hono: ['writeSSE({ ...item, data', 'writeSSE({ event: 5, data'],
    },
    ALL,
  ),
  typed(
    'events',
    'the data of an event',
    {
      own: ['yield item', "yield { event: 'loan', data: { serialNumber: 1 } }"],
      fastify: ['send(item)', "send({ event: 'loan', data: { serialNumber: 1 } })"],
      hono: ['JSON.stringify(item.data)', 'JSON.stringify({ serialNumber: 1 })'],
    },
    '',
  ),
  typed('store', 'what a store does', { all: ['async get(', 'async gett('] }, ALL),
  typed(
    'store',
    'a stored value',
    {
      own: ['store.add(id, body)', 'store.add(id, 5)'],
      fastify: ['store.add(id, request.body)', 'store.add(id, 5)'],
      hono: ['store.add(id, note)', 'store.add(id, 5)'],
    },
    ALL,
  ),
];

const described = (task, what, path, find, holds) => ({ task, what, path, find, holds: holds.split(' ') });
const get = (item) => item.get ?? {};
const post = (item) => item.post ?? {};
const parameter = (item, name) => {
  const { schema = {} } = get(item).parameters?.find((one) => one.name === name) ?? {};
  return schema;
};
const multipart = (item) => post(item).requestBody?.content?.['multipart/form-data'];

/** `find` looks at the item of the path, and at the whole document with its references resolved. */
export const DESCRIBED = [
  described(
    'auth',
    'the scheme',
    '/me',
    (item, { components }) =>
      Object.values(components.securitySchemes ?? {}).some(({ scheme }) => scheme === 'bearer') &&
      get(item).security?.length === 1,
    ALL,
  ),
  described('auth', '401', '/me', (item) => get(item).responses['401'], ALL),
  described('auth', '403', '/keys', (item) => get(item).responses['403'], ALL),
  described(
    'query',
    'the values of an enumeration',
    '/devices',
    (item) => JSON.stringify(parameter(item, 'kind')).includes('tripod'),
    ALL,
  ),
  described(
    'query',
    'bounds and default',
    '/devices',
    (item) => parameter(item, 'size').maximum === 100 && parameter(item, 'size').default === 20,
    ALL,
  ),
  described('query', 'the format', '/devices', (item) => parameter(item, 'since').format === 'date', ALL),
  described('query', 'the list', '/devices', (item) => parameter(item, 'tag').items?.maxLength === 10, ALL),
  described('query', '400', '/devices', (item) => get(item).responses['400'], 'own'),
  described(
    'nested',
    'the body',
    '/api/devices/{serial}/loans',
    (item) => post(item).requestBody?.content['application/json'].schema.properties.until,
    ALL,
  ),
  described(
    'nested',
    'Location of 201',
    '/api/devices/{serial}/loans',
    (item) => post(item).responses['201'].headers?.Location,
    'own',
  ),
  described('nested', '400', '/api/devices/{serial}/loans', (item) => post(item).responses['400'], 'own'),
  described('nested', '404', '/api/devices/{serial}/loans', (item) => post(item).responses['404'], ALL),
  described('upload', 'the form', '/photos', (item) => multipart(item)?.schema.properties.title, ALL),
  described(
    'upload',
    'its text',
    '/photos',
    (item) => {
      const { type, maxLength } = multipart(item).schema.properties.title;
      return type === 'string' && maxLength === 20;
    },
    'own hono',
  ),
  described(
    'upload',
    'its file',
    '/photos',
    (item) => multipart(item).schema.properties.photo.format === 'binary',
    ALL,
  ),
  described(
    'upload',
    'the media type of the file',
    '/photos',
    (item) => JSON.stringify(multipart(item)).includes('image/png'),
    'own',
  ),
  described('upload', '400', '/photos', (item) => post(item).responses['400'], 'own'),
  described('upload', '413', '/photos', (item) => post(item).responses['413'], 'own hono'),
  described('upload', '415', '/photos', (item) => post(item).responses['415'], 'own fastify'),
  described(
    'events',
    'the media type',
    '/news',
    (item) => get(item).responses['200'].content['text/event-stream'],
    ALL,
  ),
  described(
    'events',
    'Last-Event-ID',
    '/news',
    (item) => get(item).parameters?.some(({ name }) => name.toLowerCase() === 'last-event-id'),
    '',
  ),
  described('limit', '429', '/jobs', (item) => post(item).responses['429'], ALL),
  described(
    'limit',
    'Retry-After of 429',
    '/jobs',
    (item) => post(item).responses['429'].headers?.['Retry-After'],
    'own',
  ),
  described(
    'store',
    'the item',
    '/notes/{id}',
    (item) => get(item).responses['200'].content['application/json'].schema.properties.text,
    ALL,
  ),
  described('store', '404', '/notes/{id}', (item) => get(item).responses['404'], ALL),
  described('store', '400', '/notes', (item) => post(item).responses['400'], 'own'),
  described(
    'store',
    'ETag, 304 and 412',
    '/notes/{id}',
    (item) => get(item).responses['200'].headers?.ETag && get(item).responses['304'] && get(item).responses['412'],
    'own',
  ),
];

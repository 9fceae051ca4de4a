/** The API on polka, its body read by hand. */
import polka from 'polka';
import { create, isBody, items, lines, PREFIX, replace } from './items.mjs';

const app = polka();

function json(response, status, value, head) {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...head,
  });
  response.end(text);
}

function empty(response, status) {
  response.writeHead(status, lines.empty);
  response.end();
}

const withBody = (then) => (request, response) => {
  const chunks = [];
  request
    .on('data', (chunk) => chunks.push(chunk))
    .on('end', () => {
      let body;
      try {
        body = JSON.parse(Buffer.concat(chunks).toString());
      } catch {
        return empty(response, 400);
      }
      return then(request, response, body);
    });
};

app.get('/api/todo', (request, response) => json(response, 200, [...items.values()], lines.list));
app.get('/api/todo/:id', (request, response) => {
  const found = items.get(request.params.id);
  if (found === undefined) empty(response, 404);
  else json(response, 200, found, lines.item);
});
app.post(
  '/api/todo',
  withBody((request, response, body) => {
    if (!isBody(body)) return empty(response, 400);
    const made = create(body);
    return json(response, 201, made, { ...lines.item, Location: PREFIX + made.key });
  }),
);
app.put(
  '/api/todo/:id',
  withBody((request, response, body) => empty(response, replace(request.params.id, body, request.params.id))),
);
app.patch(
  '/api/todo/:id',
  withBody((request, response, body) => empty(response, replace(request.params.id, body))),
);
app.delete('/api/todo/:id', (request, response) => empty(response, items.delete(request.params.id) ? 204 : 404));
app.listen(Number(process.env.PORT), '127.0.0.1');

/** Declares a row: a request, and what the service answers to it. */
import assert from 'node:assert/strict';

/** A header that is there with this value, or one that matches; undefined for one that is not there. */
type Headers = Readonly<Record<string, string | RegExp | undefined>>;

export interface Row {
  readonly asks: string;
  /** Who asks: "reader", "keeper" or "guest" of the staff, a device by its key; nobody unless given. */
  readonly as?: keyof typeof CREDENTIALS;
  /** GET unless given. */
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** The body as it is sent, with its media type in `headers`. */
  readonly text?: string;
  readonly status: number;
  /** The members that the body has, with their values; further members are not asked. A text is the whole body. */
  readonly body?: unknown;
  /** The members of `errors` that a problem has: where the faults are. */
  readonly places?: readonly string[];
  readonly answers?: Headers;
}

const CREDENTIALS = {
  nobody: {},
  reader: { Authorization: 'Bearer ada' },
  keeper: { Authorization: 'Bearer bob' },
  guest: { Authorization: 'Bearer eve' },
  device: { 'X-Device-Key': 'key-of-EL0001' },
};

/** The staff and the devices of the service. */
export const TOKENS = {
  ada: { identity: { name: 'Ada' }, roles: ['reader'] },
  bob: { identity: { name: 'Bob' }, roles: ['reader', 'keeper'] },
  eve: { identity: { name: 'Eve' }, roles: [] },
} as const;
export const KEYS = { 'key-of-EL0001': { identity: { meter: 'EL0001' } } } as const;

/** Sends a request to the service, without a port. */
export type Ask = (
  path: string,
  init: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string },
) => Promise<Response>;

/** A row, whose request is a method and a path. */
export function row(
  asks: string,
  as: keyof typeof CREDENTIALS,
  request: string,
  status: number,
  more?: Partial<Row>,
): Row {
  const [method = '', path = ''] = request.split(' ');
  return { asks, as, method, path, status, ...more };
}

/** Sends the request of a row. */
export function send(ask: Ask, { as = 'nobody', method = 'GET', path, headers, json, text }: Row): Promise<Response> {
  const body = json === undefined ? text : JSON.stringify(json);
  const mediaType = json !== undefined && { 'Content-Type': 'application/json' };
  return ask(path, {
    method,
    headers: { ...CREDENTIALS[as], ...mediaType, ...headers },
    ...(body !== undefined && { body }),
  });
}

/** A link with the parameters of its query in order: which of them comes first says nothing. */
function comparable(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('/')) return value;
  const [path, query] = value.split('?');
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return `${path}?${parameters}`;
}

/** Asserts that the service answers a row as it says. */
export async function assertRow(ask: Ask, row: Row): Promise<void> {
  const reply = await send(ask, row);
  const text = await reply.text();
  assert.equal(reply.status, row.status, text);
  for (const [name, expected] of Object.entries(row.answers ?? {})) {
    const value = reply.headers.get(name) ?? undefined;
    if (expected instanceof RegExp) assert.match(value ?? '', expected, name);
    else assert.equal(value, expected, name);
  }
  if (typeof row.body === 'string') assert.equal(text, row.body);
  else if (row.body !== undefined) {
    const sent = JSON.parse(text);
    for (const [name, value] of Object.entries(row.body as object))
      assert.deepEqual(comparable(sent[name]), comparable(value), `${name}: ${text}`);
  }
  if (reply.status >= 400 && text !== '')
    assert.match(reply.headers.get('Content-Type') ?? '', /^application\/problem\+json/, text);
  if (row.places !== undefined) {
    const { errors = [] } = JSON.parse(text) as { errors?: { pointer?: string; parameter?: string }[] };
    assert.deepEqual(
      errors.map(({ pointer, parameter }) => pointer ?? parameter),
      row.places,
      text,
    );
  }
}

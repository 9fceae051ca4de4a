/** The idea of Plug: a connection goes through a list of functions, each returns another one. There is no `next`. */
import { createServer, type Server, type ServerResponse } from 'node:http';

// The framework.

type Conn = Readonly<{
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  status?: number;
  halted: boolean;
  beforeSend: readonly Plug[];
  /** Where the reply goes. */
  adapter: ServerResponse;
}>;
type Plug = (conn: Conn) => Conn;

/** As `plug :a`, `plug :b` in a module that uses `Plug.Builder`. */
const builder =
  (...plugs: readonly Plug[]): Plug =>
  (conn) =>
    plugs.reduce((passed, plug) => (passed.halted ? passed : plug(passed)), conn);

const putHeader = (conn: Conn, name: string, value: string): Conn => ({
  ...conn,
  headers: { ...conn.headers, [name]: value },
});
const registerBeforeSend = (conn: Conn, callback: Plug): Conn => ({
  ...conn,
  beforeSend: [callback, ...conn.beforeSend],
});
const halt = (conn: Conn): Conn => ({ ...conn, halted: true });

/** Sends at once: nobody can change the reply afterwards. */
function sendReply(conn: Conn, status: number, body: string): Conn {
  const ready = conn.beforeSend.reduce<Conn>((passed, callback) => callback(passed), { ...conn, status });
  ready.adapter.writeHead(status, ready.headers).end(body);
  return ready;
}

const serve = (plug: Plug): Server =>
  createServer(({ method, url }, adapter) => {
    try {
      plug({ method: method!, path: url!, headers: {}, halted: false, beforeSend: [], adapter });
    } catch {
      adapter.writeHead(500).end();
    }
  });

// The program.

const seen: Plug = (conn) => registerBeforeSend(conn, (sent) => putHeader(sent, 'X-Seen', String(sent.status)));

const closed: Plug = (conn) => (conn.method === 'GET' ? conn : halt(sendReply(conn, 503, 'Only reading today')));

/** As a module that uses `Plug.Router`. The last line is its `match _`. */
const router: Plug = (conn) => {
  const name = /^\/hello\/([^/]+)$/.exec(conn.path)?.[1];
  if (name !== undefined) return sendReply(conn, 200, `Hello ${name}`);
  if (conn.path === '/broken') throw new Error('The handler has failed');
  return sendReply(conn, 404, 'Not Found');
};

export const server = (): Server => serve(builder(seen, closed, router));

/** The idea of Go's `net/http`: a handler writes to a writer. Middleware is a function from handler to handler. */
import { createServer, type Server } from 'node:http';

// The library.

interface ResponseWriter {
  readonly header: Record<string, string>;
  /** Sends status and headers; headers that are set later are lost. */
  writeHeader(status: number): void;
  /** Sends status 200 before, if nothing was sent. */
  write(body: string): void;
}
type Request = { readonly method: string; readonly path: string; pathValue: (name: string) => string };
type Handler = (w: ResponseWriter, r: Request) => void;

/** A map from patterns such as `/hello/{name}` to handlers. Go prefers the more specific one; these never overlap. */
const mux =
  (patterns: Readonly<Record<string, Handler>>): Handler =>
  (w, r) => {
    for (const [pattern, handler] of Object.entries(patterns)) {
      const match = new RegExp(`^${pattern.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(r.path);
      if (match !== null) return handler(w, { ...r, pathValue: (name) => match.groups?.[name] ?? '' });
    }
    w.writeHeader(404);
    w.write('404 page not found\n');
  };

const serve = (handler: Handler): Server =>
  createServer((request, response) => {
    const header: Record<string, string> = {};
    const w: ResponseWriter = {
      header,
      writeHeader: (status) => void response.writeHead(status, header),
      write(body) {
        if (!response.headersSent) w.writeHeader(200);
        response.write(body);
      },
    };
    try {
      handler(w, { method: request.method!, path: request.url!, pathValue: () => '' });
      response.end();
    } catch {
      // A panic ends the connection, and is logged. The server goes on.
      request.socket.destroy();
    }
  });

// The program.

/** The writer has no status to ask for, so this one stands in its place and takes note. */
const seen =
  (next: Handler): Handler =>
  (w, r) => {
    let isSent = false;
    const noting: ResponseWriter = {
      header: w.header,
      writeHeader(status) {
        isSent = true;
        w.header['X-Seen'] = String(status);
        w.writeHeader(status);
      },
      write(body) {
        if (!isSent) noting.writeHeader(200);
        w.write(body);
      },
    };
    next(noting, r);
  };

const closed =
  (next: Handler): Handler =>
  (w, r) => {
    if (r.method === 'GET') return next(w, r);
    w.writeHeader(503);
    w.write('Only reading today');
  };

const pages = mux({
  '/hello/{name}': (w, r) => w.write(`Hello ${r.pathValue('name')}`),
  '/broken'() {
    throw new Error('The handler has failed');
  },
});

export const server = (): Server => serve(seen(closed(pages)));

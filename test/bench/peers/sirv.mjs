/** A folder served by sirv. */
import { createServer } from 'node:http';
import sirv from 'sirv';

const files = sirv(process.env.BENCH_FOLDER, { etag: true, brotli: true, gzip: true });
createServer((request, response) =>
  files(request, response, () => {
    response.statusCode = 404;
    response.end();
  }),
).listen(Number(process.env.PORT), '127.0.0.1');

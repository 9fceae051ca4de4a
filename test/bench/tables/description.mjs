/** The descriptions, which are made once and sent as they stand, against the same bytes from memory. */
import { ask } from '../library/ask.mjs';
import { filesTable } from '../library/files-table.mjs';
import { recordedFloor } from '../library/recording.mjs';
import { startServer } from '../library/server-process.mjs';

const PATH = '/swagger/v1/swagger.json';

const LINES = [
  { line: 'description, 200', path: PATH, headers: async () => ({}) },
  {
    line: 'description, 304',
    path: PATH,
    headers: async ({ port }) => ({ 'If-None-Match': (await ask(port, 'GET', PATH)).headers.etag }),
  },
];

export async function description(settings) {
  const ours = await startServer(settings.service);
  const floor = await recordedFloor(ours, [PATH]);
  const text = await filesTable('description', [floor, ours], LINES, settings);
  await floor.stop();
  await ours.stop();
  return text;
}

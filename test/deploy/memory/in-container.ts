/** Runs the service in a container under the load that needs the most memory. */
import { startService } from '../../abuse/running-service.ts';
import { container } from './container.ts';
import { type Answers, fill, lists, puts } from './load.ts';

/** A part of the load: the number of its answers by status, and the peak memory of the container so far. */
export interface Part {
  readonly name: string;
  readonly answers?: Answers;
  readonly peak: number;
}

/**
 * Fills a service in a container of this many bytes with items whose names have this length, and loads it. Returns the
 * parts, the number of processes that the system has killed, and all errors. Returns the reason if no container can be
 * created.
 */
export async function inContainer(bytes: number, size: number, program: readonly string[]) {
  const limit = container(bytes);
  if (typeof limit === 'string') return limit;
  const service = await startService({ through: limit.through, program });
  const { port } = service;
  const parts: Part[] = [];
  const tell = (name: string, answers?: Answers): unknown =>
    parts.push({ name, peak: limit.peak(), ...(answers && { answers }) });
  let fault = '';
  tell('start');
  try {
    const keys = await fill(port, size);
    tell('full');
    tell('lists', await lists(port));
    tell('PUTs', await puts(port, keys));
  } catch (error) {
    // If the service is killed, its connections end.
    fault = String(error);
  }
  const kills = limit.kills();
  tell('end');
  await service.stop();
  limit.remove();
  return { parts, kills, errors: service.errors() + fault };
}

/** The service in a container, under the load that takes the most memory. */
import { startService } from '../../abuse/running-service.ts';
import { container } from './container.ts';
import { type Answers, fill, lists, puts, together } from './load.ts';

export interface Trial {
  /** Of the container. */
  readonly bytes: number;
  /** Length of the names of the items. */
  readonly size: number;
  /** At the end lists that nobody reads, while bodies wait for their last byte. */
  readonly isWorst?: boolean;
  /** For Node itself. */
  readonly options?: readonly string[];
  readonly flags?: readonly string[];
  /** What Node runs. */
  readonly program: readonly string[];
}

/** A part of the load: what came of it, and the most memory of the container so far. */
export interface Part {
  readonly name: string;
  readonly answers?: Answers;
  readonly peak: number;
}

export interface TrialAccount {
  readonly items: number;
  readonly parts: readonly Part[];
  /** Processes that the system has killed. */
  readonly kills: number;
  /** What the service wrote to standard error, and what ended the load. */
  readonly errors: string;
}

/** Tells why there is no container, where there is none. */
export async function inContainer(trial: Trial): Promise<TrialAccount | string> {
  const { bytes, size, isWorst = false, options = [], flags = [], program } = trial;
  const limit = container(bytes);
  if (typeof limit === 'string') return limit;
  const service = await startService({ through: limit.through, node: options, flags, program });
  const { port } = service;
  const parts: Part[] = [];
  const tell = (name: string, answers?: Answers): unknown =>
    parts.push({ name, peak: limit.peak(), ...(answers && { answers }) });
  let items = 0;
  let fault = '';
  tell('start');
  try {
    const filled = await fill(port, size);
    items = filled.items;
    tell('full');
    tell('lists', await lists(port));
    tell('PUTs', await puts(port, filled.keys));
    if (isWorst) tell('together', await together(port, filled.keys));
  } catch (error) {
    // Its connections end with a service that is killed.
    fault = String(error);
  }
  const kills = limit.kills();
  tell('end');
  await service.stop();
  limit.remove();
  return { items, parts, kills, errors: service.errors() + fault };
}

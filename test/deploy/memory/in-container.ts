/** Runs the service in a container under the load that needs the most memory. */
import { startService } from '../../abuse/running-service.ts';
import { container } from './container.ts';
import { type Answers, fill, lists, puts, together } from './load.ts';

export interface Trial {
  /** The memory of the container. */
  readonly bytes: number;
  /** The length of the names of the items. */
  readonly size: number;
  /** Ends with lists that no client reads, while bodies wait for their last byte. */
  readonly isWorst?: boolean;
  /** Options for Node. */
  readonly options?: readonly string[];
  readonly flags?: readonly string[];
  /** The arguments after the options: the program and its flags. */
  readonly program: readonly string[];
}

/** A part of the load: its results, and the peak memory of the container so far. */
export interface Part {
  readonly name: string;
  readonly answers?: Answers;
  readonly peak: number;
}

export interface TrialAccount {
  readonly items: number;
  readonly parts: readonly Part[];
  /** The number of processes that the system has killed. */
  readonly kills: number;
  /** The standard error of the service, and the error that ended the load. */
  readonly errors: string;
}

/** Runs the trial. Returns the reason if no container can be created. */
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
    // If the service is killed, its connections end.
    fault = String(error);
  }
  const kills = limit.kills();
  tell('end');
  await service.stop();
  limit.remove();
  return { items, parts, kills, errors: service.errors() + fault };
}

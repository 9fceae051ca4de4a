/** Every fault, in the order in which they are tried; the ones that take long last. */
import { pipelinedFlood, slowHeads, slowReaders, smallHeap, tinyChunks } from './faults/connection-faults.ts';
import type { Fault } from './faults/fault.ts';
import { stopFirstProcess } from './faults/stop-faults.ts';
import { fewDescriptors, folderGone, unreadableFolder } from './faults/system-faults.ts';

export const FAULTS: readonly Fault[] = [
  ...[fewDescriptors, folderGone, unreadableFolder],
  ...[slowHeads, pipelinedFlood, tinyChunks],
  ...[stopFirstProcess, slowReaders, smallHeap],
];

/** Every fault, in the order in which they are tried; the ones that take long last. */
import {
  leftStreams,
  manyConnections,
  pipelinedFlood,
  resets,
  slowHeads,
  slowReaders,
  smallHeap,
  tinyChunks,
} from './faults/connection-faults.ts';
import type { Fault } from './faults/fault.ts';
import { stopFirstProcess, stopNpm, stopSilent, stopTwice, stopWithLoad } from './faults/stop-faults.ts';
import {
  closedOutput,
  fewDescriptors,
  folderGone,
  portTaken,
  stuckLog,
  unreadableFolder,
} from './faults/system-faults.ts';

export const FAULTS: readonly Fault[] = [
  ...[portTaken, fewDescriptors, folderGone, unreadableFolder, closedOutput, stuckLog],
  ...[manyConnections, slowHeads, pipelinedFlood, tinyChunks, resets, leftStreams],
  ...[stopSilent, stopTwice, stopNpm, stopFirstProcess, stopWithLoad, slowReaders, smallHeap],
];

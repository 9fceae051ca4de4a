/** Every fault, in the order in which they are tried; the ones that take long last. */
import { closedOutput } from './faults/closed-output.ts';
import type { Fault } from './faults/fault.ts';
import { fewDescriptors } from './faults/few-descriptors.ts';
import { folderGone } from './faults/folder-gone.ts';
import { leftStreams } from './faults/left-streams.ts';
import { manyConnections } from './faults/many-connections.ts';
import { pipelinedFlood } from './faults/pipelined-flood.ts';
import { portTaken } from './faults/port-taken.ts';
import { resets } from './faults/resets.ts';
import { slowHeads } from './faults/slow-heads.ts';
import { slowReaders } from './faults/slow-readers.ts';
import { smallHeap } from './faults/small-heap.ts';
import { stopFirstProcess } from './faults/stop-first-process.ts';
import { stopNpm } from './faults/stop-npm.ts';
import { stopSilent } from './faults/stop-silent.ts';
import { stopTwice } from './faults/stop-twice.ts';
import { stopWithLoad } from './faults/stop-under-load.ts';
import { stuckLog } from './faults/stuck-log.ts';
import { tinyChunks } from './faults/tiny-chunks.ts';
import { unreadableFolder } from './faults/unreadable-folder.ts';

export const FAULTS: readonly Fault[] = [
  portTaken,
  fewDescriptors,
  folderGone,
  unreadableFolder,
  closedOutput,
  stuckLog,
  manyConnections,
  slowHeads,
  pipelinedFlood,
  tinyChunks,
  resets,
  leftStreams,
  stopSilent,
  stopTwice,
  stopNpm,
  stopFirstProcess,
  stopWithLoad,
  slowReaders,
  smallHeap,
];

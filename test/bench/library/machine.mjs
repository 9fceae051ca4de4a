/** What the figures were measured on: they mean nothing without it. */
import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';

/** Is this program installed? */
export const installed = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

/**
 * Two processors at least: then the measured process has one and the load generator another, and neither takes from the
 * other.
 */
const canPin = installed('taskset') && availableParallelism() > 1;

/** The command that runs a program on one of two processors; the program itself where that cannot be had. */
export const pinned = (processor, command) =>
  canPin ? ['taskset', '--cpu-list', String(processor), ...command] : command;

/** The lines in front of the tables. */
export const machineLines = (command) =>
  [
    `- ${cpus()[0].model}, ${cpus().length} processors, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}`,
    `- Node ${process.version}, V8 ${process.versions.v8}, ${new Date().toISOString().slice(0, 10)}`,
    `- ${canPin ? 'measured process and load generator have a processor each' : 'nothing is pinned to a processor'}`,
    `- load of the machine at the start: ${loadavg()
      .map((value) => value.toFixed(1))
      .join(', ')} (busy processes in the last 1, 5, 15 minutes)`,
    `- \`${command}\``,
  ].join('\n');

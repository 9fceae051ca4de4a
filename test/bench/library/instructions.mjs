/**
 * Instructions that a process executes, counted by `perf`: what no other program on the machine changes. Most virtual
 * machines have no counters.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

const OPTIONS = ['stat', '-x', ',', '-e', 'instructions'];
const counted = (text) => Number(/^(\d+)(?:\.\d+)?,/m.exec(text)?.[1] ?? NaN);

/** Are there counters, and the right to read them? */
export const hasCounters = () =>
  Number.isFinite(counted(spawnSync('perf', [...OPTIONS, 'true'], { encoding: 'utf8' }).stderr));

/** The instructions of all threads of the process while `run` goes on. */
export async function instructionsOf(pid, run) {
  const options = ['--pid', String(pid), '--delay', '-1', '--control', 'fd:3,4'];
  const perf = spawn('perf', [...OPTIONS, ...options], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
  const [, , errors, control, acknowledged] = perf.stdio;
  let text = '';
  errors.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  const ended = once(perf, 'close');
  const told = async (word) => {
    control.write(`${word}\n`);
    await once(acknowledged, 'data');
  };
  await told('enable');
  await run();
  await told('disable');
  perf.kill('SIGINT');
  await ended;
  return counted(text);
}

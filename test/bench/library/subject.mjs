/**
 * A program under measurement in a process of its own, which waits for messages between its turns and costs nothing
 * then.
 */
import { fork } from 'node:child_process';
import { pinned } from './machine.mjs';

/** Starts it; `ask(parameters)` resolves with its answer. It ends when this process ends or `stop` is called. */
export function startSubject(file, { env = {}, flags = [], processor = 0 } = {}) {
  const [program, ...parameters] = pinned(processor, [process.execPath, ...flags, file]);
  const child = fork(parameters.length === 0 ? file : parameters.at(-1), [], {
    execPath: program,
    execArgv: parameters.slice(0, -1),
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = new Map();
  let count = 0;
  const ended = new Promise((resolve) =>
    child.once('exit', (code) => {
      for (const { reject } of waiting.values()) reject(new Error(`${file} ended with exit code ${code}`));
      resolve();
    }),
  );
  child.on('message', ({ number, ...answer }) => {
    const { resolve, reject } = waiting.get(number);
    waiting.delete(number);
    if (answer.failure === undefined) resolve(answer);
    else reject(new Error(answer.failure));
  });
  return {
    pid: child.pid,
    ask: (parameters = {}) =>
      new Promise((resolve, reject) => {
        waiting.set(++count, { resolve, reject });
        child.send({ number: count, ...parameters });
      }),
    async stop() {
      child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), 2000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** A journal that has to be opened and closed, as a file or a connection has. */
import { setTimeout as pause } from 'node:timers/promises';

export class Journal {
  /** What would still be there after the process has ended. */
  readonly saved: string[] = [];
  #lines: string[] | undefined;

  get isOpen(): boolean {
    return this.#lines !== undefined;
  }

  /** Opens it. Opened twice, a file would be held twice and closed once. */
  async open(): Promise<void> {
    if (this.isOpen) throw new Error('The journal is open already');
    await pause(5);
    this.#lines = [];
  }

  write(line: string): void {
    if (this.#lines === undefined) throw new Error('The journal is not open');
    this.#lines.push(line);
  }

  /** Saves what was written, then closes. */
  async close(): Promise<void> {
    if (!this.isOpen) throw new Error('The journal is not open');
    await pause(20);
    this.saved.push(...(this.#lines ?? []));
    this.#lines = undefined;
  }
}

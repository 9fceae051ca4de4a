/** A journal that must be opened and closed, like a file or a connection. */
import { setTimeout as pause } from 'node:timers/promises';

export class Journal {
  /** The lines that survive the end of the process. */
  readonly saved: string[] = [];
  #lines: string[] | undefined;

  get isOpen(): boolean {
    return this.#lines !== undefined;
  }

  /** Opens the journal. Throws if it is open: a file that is opened twice would be closed only once. */
  async open(): Promise<void> {
    if (this.isOpen) throw new Error('The journal is open already');
    await pause(5);
    this.#lines = [];
  }

  write(line: string): void {
    if (this.#lines === undefined) throw new Error('The journal is not open');
    this.#lines.push(line);
  }

  /** Saves the lines, then closes the journal. */
  async close(): Promise<void> {
    if (!this.isOpen) throw new Error('The journal is not open');
    await pause(20);
    this.saved.push(...(this.#lines ?? []));
    this.#lines = undefined;
  }
}

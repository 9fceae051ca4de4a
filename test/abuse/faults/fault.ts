/** One way in which the world around the service fails. */

export interface Fault {
  /** What happens, and what must come of it. */
  readonly name: string;
  /** Throws when something else comes of it. Returns why it could not be tried here, if so. */
  run(): Promise<string | void>;
}

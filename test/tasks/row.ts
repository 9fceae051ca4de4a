/** Declares a row of a table of behaviour: a request, and what each library answers to it. */
export type Library = 'own' | 'fastify' | 'hono';

/** The same for each library, or what each of them answers by its nature. */
export type Each<T> = T | Readonly<Record<Library, T>>;

export interface Row {
  readonly asks: string;
  /** True for what a task does not need: it tells how the libraries differ, and is not counted. */
  readonly isExtra?: boolean;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string | File>>;
  readonly status: Each<number>;
  /** The JSON of the body. */
  readonly body?: unknown;
  /** Words that the body has: where a fault is. */
  readonly names?: Each<readonly string[]>;
  readonly header?: Each<readonly [name: string, value: RegExp] | undefined>;
}

/** What a library is expected to answer. */
export const of = <T>(each: Each<T>, library: Library): T =>
  typeof each === 'object' && each !== null && 'hono' in each ? (each as Record<Library, T>)[library] : (each as T);

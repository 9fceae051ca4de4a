/** What every client of the application can do, whoever generated it. Each call sends what `sent.ts` has for it. */

export interface Outcome {
  readonly status: number;
  readonly data?: unknown;
}

export type Call = () => Promise<Outcome>;

export interface Client {
  readonly query: Call;
  readonly commas: Call;
  readonly spaces: Call;
  readonly pipes: Call;
  readonly headers: Call;
  readonly constrained: Call;
  readonly declared: Call;
  readonly slash: Call;
  readonly list: Call;
  readonly noPage: Call;
  readonly page: Call;
  readonly file: Call;
  readonly document: Call;
  readonly everywhere: Call;
  /** Sends a day that is none. */
  readonly refused: Call;

  readonly texts: Call;
  readonly nulls: Call;
  readonly numbers: Call;
  readonly lists: Call;
  readonly drawing: Call;
  readonly shape: Call;
  readonly tree: Call;
  readonly chain: Call;
  readonly names: Call;

  readonly rows: Call;
  readonly rowsAsCsv: Call;
  /** The bytes as a list of numbers. */
  readonly rowsAsBytes: Call;
  /** The bytes as a list of numbers, and the header with its size. */
  readonly picture: Call;
  /** Sends a tag that names any picture. */
  readonly samePicture: Call;
  readonly anotherPicture: Call;
  readonly events: Call;
  /** JSON in a file, of which a client has the value. */
  readonly place: Call;
  readonly note: Call;

  readonly person: Call;
  readonly either: Call;
  readonly link: Call;
  readonly password: Call;
  readonly open: Call;
  /** With the token of an administrator, and with another. */
  readonly admin: Call;
  readonly forbidden: Call;

  readonly listTasks: Call;
  readonly addTask: Call;
  readonly readTask: (id: string) => Promise<Outcome>;
  readonly replaceTask: (id: string) => Promise<Outcome>;
  readonly updateTask: (id: string) => Promise<Outcome>;
  readonly removeTask: (id: string) => Promise<Outcome>;
}

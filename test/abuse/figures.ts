/** What a run comes to: one line, and whether anything is wrong. */

export interface Figures {
  inputs: number;
  crashes: number;
  serverErrors: number;
  lost: number;
  /** Seconds. */
  delay: number;
  /** Everything that is wrong, a line each. */
  readonly wrong: string[];
}

export const figures = (): Figures => ({ inputs: 0, crashes: 0, serverErrors: 0, lost: 0, delay: 0, wrong: [] });

/** The line. */
export function figuresLine({ inputs, crashes, serverErrors, lost, delay, wrong }: Figures, seconds: number): string {
  return (
    `${inputs} inputs tried, ${crashes} crashes, ${serverErrors} 5xx, ${lost} items lost, ` +
    `largest event-loop delay ${Math.round(delay * 1000)} ms, ${wrong.length} faults, ` +
    `${Math.round(seconds)} s`
  );
}

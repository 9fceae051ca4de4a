/** A module of the trace page that needs no browser. It has no types of its own. */
const { readRecording: read } = (await import(
  new URL('../../../static/trace/recording-file.js', import.meta.url).href
)) as { readRecording(file: Blob): Promise<{ readonly recording: unknown }> };

/** What the page reads out of a file with this text. */
export const readRecording = (written: string): ReturnType<typeof read> => read(new Blob([written]));

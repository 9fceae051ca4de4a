/** Exports a module of the trace page that runs without a browser. The module has no types. */
const { readRecording: read } = (await import(
  new URL('../../../static/trace/recording-file.js', import.meta.url).href
)) as { readRecording(file: Blob): Promise<{ readonly recording: unknown }> };

/** What the page reads out of a file with this text. */
export const readRecording = (written: string): ReturnType<typeof read> => read(new Blob([written]));

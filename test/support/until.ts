/**
 * Checks a condition repeatedly until it is true, for effects of other processes or of the disk. Throws after the
 * deadline, which is long, because a busy machine may need many times as long as a quiet one. All times are in
 * milliseconds.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  deadline = 60_000,
  pause = 5,
): Promise<void> {
  const end = performance.now() + deadline;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${deadline} ms`);
    await new Promise((resolve) => void setTimeout(resolve, pause));
  }
}

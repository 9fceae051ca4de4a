/**
 * Asks again until the answer is right: for what another process or the disk makes true in its own time. All times are
 * in milliseconds.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  deadline = 5000,
  pause = 5,
): Promise<void> {
  const end = performance.now() + deadline;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${deadline} ms`);
    await new Promise((resolve) => void setTimeout(resolve, pause));
  }
}

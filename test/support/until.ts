/** Asks again until the answer is right: for what another process or the disk makes true in its own time. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string, deadline = 5000): Promise<void> {
  const end = performance.now() + deadline;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${deadline} ms`);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

/** Tables as they are pasted into the README. */

/** A table: the first column reads from the left, figures stand at the right. */
export const table = (head, rows) =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

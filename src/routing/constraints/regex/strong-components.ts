/**
 * The circles of a graph: which nodes can be reached from each other (Tarjan's strongly connected components).
 *
 * An expression can backtrack without end only where it goes round in a circle; `expression-ambiguity.ts` asks which positions share one.
 */

/** A number for each node; two nodes on one circle have the same, and what can be reached from a circle has a lower one. */
export function components(size: number, edgesOf: (node: number) => readonly number[]): number[] {
  const order = new Array<number>(size).fill(-1),
    low = new Array<number>(size).fill(0),
    found = new Array<number>(size).fill(-1);
  const open: number[] = [];
  let count = 0,
    clock = 0;
  for (let root = 0; root < size; root++) {
    if (order[root] !== -1) continue;
    const path: { node: number; edges: readonly number[]; next: number }[] = [];
    const enter = (node: number): void => {
      order[node] = low[node] = clock++;
      open.push(node);
      path.push({ node, edges: edgesOf(node), next: 0 });
    };
    enter(root);
    while (path.length > 0) {
      const step = path.at(-1)!,
        { node, edges } = step;
      if (step.next < edges.length) {
        const target = edges[step.next++]!;
        if (order[target] === -1) enter(target);
        else if (found[target] === -1) low[node] = Math.min(low[node]!, order[target]!);
        continue;
      }
      path.pop();
      if (path.length > 0) low[path.at(-1)!.node] = Math.min(low[path.at(-1)!.node]!, low[node]!);
      if (low[node] !== order[node]) continue;
      for (let member = -1; member !== node; ) {
        member = open.pop()!;
        found[member] = count;
      }
      count++;
    }
  }
  return found;
}

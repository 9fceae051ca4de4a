/** Finds strongly connected components of a graph (R. Tarjan, Depth-first search and linear graph algorithms, 1972). */

/**
 * The component of each node, by number, of a graph that is given by the successors of each node. Nodes that can reach
 * each other have the same number. A component has a higher number than the others that it can reach.
 */
export function strongComponents(successors: readonly (readonly number[])[]): number[] {
  const order = successors.map(() => -1);
  const low = successors.map(() => 0);
  const component = successors.map(() => -1);
  const open: number[] = [];
  // A stack of its own, because a product automaton has more states than the call stack has frames.
  const path: { readonly node: number; next: number }[] = [];
  let count = 0;
  let clock = 0;
  const enter = (node: number): void => {
    order[node] = low[node] = clock++;
    open.push(node);
    path.push({ node, next: 0 });
  };
  for (const [root, found] of order.entries()) {
    if (found === -1) enter(root);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { node } = step;
      const successor = successors[node]![step.next++];
      if (successor !== undefined) {
        if (order[successor] === -1) enter(successor);
        else if (component[successor] === -1) low[node] = Math.min(low[node]!, order[successor]!);
        continue;
      }
      path.pop();
      const parent = path.at(-1)?.node;
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!);
      if (low[node] !== order[node]) continue;
      for (let member = -1; member !== node; ) component[(member = open.pop()!)] = count;
      count++;
    }
  }
  return component;
}

/** The items of a running service, over plain `fetch`. */

export interface Item {
  readonly key: string;
  readonly name: string | null;
  readonly isComplete: boolean;
}

const at = (port: number, path = ''): string => `http://127.0.0.1:${port}/api/todo${path}`;

/** The whole list. Throws for any answer but 200. */
export async function listItems(port: number): Promise<readonly Item[]> {
  const response = await fetch(at(port));
  if (response.status !== 200) throw new Error(`The list is answered with ${response.status}`);
  return (await response.json()) as Item[];
}

/** Creates an item; undefined when there is no room (507). */
export async function addItem(port: number, name: string): Promise<Item | undefined> {
  const response = await fetch(at(port), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  const body = await response.json();
  if (response.status === 507) return undefined;
  if (response.status !== 201) throw new Error(`An item is answered with ${response.status}: ${JSON.stringify(body)}`);
  return body as Item;
}

/** Deletes an item; true when it was there. */
export async function removeItem(port: number, key: string): Promise<boolean> {
  const response = await fetch(at(port, `/${key}`), { method: 'DELETE' });
  await response.arrayBuffer();
  return response.status === 204;
}

/** Throws unless these items are all there, unchanged, in this order. */
export async function assertIntact(port: number, items: readonly Item[]): Promise<void> {
  const lost = await lostItems(port, items);
  if (lost > 0) throw new Error(`${lost} of ${items.length} items are lost, changed or out of order`);
}

/** How many of these items are not there as they were. */
export async function lostItems(port: number, items: readonly Item[]): Promise<number> {
  const wanted = new Set(items.map(({ key }) => key));
  const found = (await listItems(port)).filter(({ key }) => wanted.has(key));
  return items.filter((item, index) => JSON.stringify(found[index]) !== JSON.stringify(item)).length;
}

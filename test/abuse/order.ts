/** Is the list in the order of creation, whatever is changed and deleted in it? One client creates, others disturb. */
import { Client } from './client.ts';
import { addItem, listItems, removeItem } from './items.ts';

/**
 * Creates so many items one after the other while others are changed and deleted. Throws when the list has another
 * order.
 */
export async function assertOrderKept(port: number, count: number): Promise<void> {
  const kept: string[] = [];
  const client = new Client(port);
  for (let at = 0; at < count; at++) {
    const item = (await addItem(port, `order ${at}`))!;
    const disturbed = kept[(at * 7) % Math.max(1, kept.length)];
    kept.push(item.key);
    if (disturbed !== undefined) await client.send('PATCH', `/api/todo/${disturbed}`, { name: `changed by ${at}` });
    if (at % 5 === 4) await removeItem(port, kept.splice((at * 3) % kept.length, 1)[0]!);
  }
  client.close();
  const wanted = new Set(kept);
  const found = (await listItems(port)).map(({ key }) => key).filter((key) => wanted.has(key));
  for (const key of kept) await removeItem(port, key);
  if (found.join() !== kept.join()) throw new Error('The list is not in the order of creation');
}

/** Items as this casing spells them; the compiler holds the spelling to the generated types. */
import type { PlainItem } from './client.js';

export const wire = ({ key = '', name, isComplete = false }: PlainItem) => ({
  Key: key,
  Name: name ?? '',
  IsComplete: isComplete,
});
export const plain = (item: { Key?: string; Name?: string | null; IsComplete?: boolean }): PlainItem => ({
  key: item.Key,
  name: item.Name,
  isComplete: item.IsComplete,
});

/** Items as this casing spells them; the compiler holds the spelling to the generated types. */
import type { PlainItem } from './client.js';

export const wire = ({ key = '', name, isComplete = false }: PlainItem) => ({ key, name: name ?? '', isComplete });
export const plain = ({ key, name, isComplete }: PlainItem): PlainItem => ({ key, name, isComplete });

/** Makes items for tests that do not speak of the members of an item. */
import { type TodoItem, todoSchema } from '../../src/plugins/todo/todo-item.ts';

const ABSENT = Object.fromEntries(Object.keys(todoSchema().properties).map((member) => [member, null]));

/** Returns an item with these members. Every other member is null, so a new member of the schema changes no test. */
export const todoItem = (members: Partial<TodoItem>): TodoItem =>
  ({ ...ABSENT, isComplete: false, ...members }) as TodoItem;

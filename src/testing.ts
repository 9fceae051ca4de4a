/** For tests: `todo-item-service/testing`. A context without a server. */

export { contextFor, type RequestOptions } from './core/wire/in-memory.ts';

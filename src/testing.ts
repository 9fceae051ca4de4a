/** For tests: `todo-item-service/testing`. A context without a server, and a check of replies against declarations. */

export { verification } from './core/application/verification.ts';
export { contextFor, type RequestOptions } from './core/wire/in-memory.ts';

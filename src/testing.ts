/** For tests: `todo-item-service/testing`. A context without a server, and requests to a server without a network. */

export { contextFor, type RequestOptions } from './core/wire/context-for.ts';
export { type InjectedReply, type InjectedRequest, inject } from './core/wire/in-memory.ts';

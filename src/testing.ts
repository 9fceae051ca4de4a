/** For tests: `todo-item-service/testing`. A context without a server, and requests to a server without a network. */

export {
  contextFor,
  type InjectedReply,
  type InjectedRequest,
  inject,
  type RequestOptions,
} from './core/wire/in-memory.ts';

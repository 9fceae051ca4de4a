/** Declares the settings that hold for all operations of an application. */
import type { Reply } from '../../message/reply.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { PropertyNaming } from '../schema/names.ts';
import type { Authenticator } from '../security/authenticator.ts';
import type { Security } from '../security/security-scheme.ts';

/** `camelCase`, no check of replies and no security unless given. */
export interface OperationSettings {
  /** `camelCase` unless given (D1). */
  readonly naming?: PropertyNaming;
  /**
   * Is called with every reply of an operation before it is sent. Throws where the operation does not declare such a
   * reply.
   */
  readonly verify?: (routed: RoutedOperation, reply: Reply) => void;
  /** Who may call the operations whose controllers do not say it. */
  readonly security?: Security;
  /** Check the credentials that operations require. */
  readonly authenticators?: readonly Authenticator[];
}

/** These settings, and what an application learns from its plugins. */
export interface RouteSettings extends OperationSettings {
  /** Returns the operation with what the stages of plugins can answer in its place. */
  readonly complete?: (routed: RoutedOperation) => RoutedOperation;
}

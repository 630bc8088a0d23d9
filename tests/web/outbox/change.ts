import type { Inputs, OperationName } from '../../../src/web/outbox/operation';

/** One change: `{ operation: 'clearCart', input: { userId } }`. */
export type Change = { [Name in OperationName]: { operation: Name; input: Inputs[Name] } }[OperationName];

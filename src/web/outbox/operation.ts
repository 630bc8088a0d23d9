import type { QueryClient } from '@tanstack/react-query';
import type { DataOf, OperationId } from '../../shared/contract';
import type { ApiError } from '../server/errors';
import type { KeyHeader } from '../server/keys';
import type { Send } from '../server/send';

/**
 * A change that can wait on the device: one definition, next to its feature. An outbox entry contains the operation's
 * name and its input; the outbox looks up everything else here by name and has no other knowledge of operations. How a
 * waiting change is displayed is a pure function in src/shared, since the first page renders it.
 */
export interface Operation<Input extends AnyInput = AnyInput, Data = unknown> {
  /** Calls the server. @throws ApiError when the server rejected it, anything else when it did not respond */
  send(input: Input, options: Sending): Promise<Data>;
  /** Toasts for success, and for a rejection without its own message. */
  messages: { success: string; failure: string };
  /** Applies the answer to the query cache. */
  saveAnswer?(cache: QueryClient, input: Input, answer: Answer<Data>): void;
  /** Merges two consecutive changes. @returns undefined when they must stay separate */
  asOne?(earlier: Input, later: Input): Input | undefined;
  /** Whether the change concerns this record, for example the cart line of this product. */
  isAbout?(input: Input, id: string): boolean;
  /** Whether the error means that the intention is already fulfilled. */
  isDone?(rejection: ApiError): boolean;
  /** The form waits for the answer and still has the text, so a rejected entry is removed from the outbox. */
  isOfForm?: boolean;
  /** Whether it may be sent while no user is signed in. */
  isForVisitors?: boolean;
  /** Many waiting ones are sent as one call: it passes `fetch` on, and the contract marks it with x-batched. */
  isBatched?: boolean;
}

/** What a call needs besides its input; `fetch` replaces the transport when it is part of a batch. */
export interface Sending extends KeyHeader {
  signal: AbortSignal;
  fetch?: Send;
}

/** By the operation's name in the contract. */
export type Operations = Readonly<Partial<Record<string, Operation>>>;

/** A signed-in user's input contains the user's ID; a visitor's is empty. */
export interface AnyInput {
  userId: string;
}

export interface Answer<Data> {
  /** Undefined when the change was done without its own answer. */
  data: Data | undefined;
  /** Whether the answer may be stale: for a repeated call the server returns the first answer again. */
  isOld: boolean;
}

/** The input of each operation. Features add theirs where they define them: `declare module '../outbox/operation'`. */
// oxlint-disable-next-line typescript/no-empty-object-type -- it is filled by the features
export interface Inputs {}

export type OperationName = keyof Inputs & OperationId;

/** The definitions of some operations: `Definitions<keyof CartChanges>`. */
export type Definitions<Names extends OperationName> = {
  readonly [Name in Names]: Operation<Inputs[Name], DataOf<Name>>;
};

/** The result for the caller that made a change. */
export type Sent<Data = unknown> =
  /** The server did it. Without `data`, another tab got the answer or discarded the entry. */
  | { queued: false; data?: Data | undefined }
  /** The device stored it and will send it; `message` says why it waits. */
  | { queued: true; because: 'offline' | 'busy' | 'unkept'; message: string };

import type { QueryClient } from '@tanstack/react-query';
import type { DataOf, OperationId } from '../../shared/contract';
import type { ApiError } from '../server/errors';
import type { KeyHeader } from '../server/keys';
import type { Send } from '../server/send';

/**
 * A change that can wait on the device: one definition, beside its feature. An entry of the outbox carries the
 * operation's name and its input; the outbox finds everything else here by the name, and knows no operation otherwise.
 * How a change shows while it waits is a pure function in src/shared, since the first page draws it.
 */
export interface Operation<Input extends AnyInput = AnyInput, Data = unknown> {
  /** Calls the server. @throws ApiError when the server refused, anything else when it did not answer */
  send(input: Input, options: Sending): Promise<Data>;
  /** What is said when the change is done, and when the server refused it without a sentence of its own. */
  messages: { success: string; failure: string };
  /** Puts what the answer means into the cache. */
  saveAnswer?(cache: QueryClient, input: Input, answer: Answer<Data>): void;
  /** Two changes that follow each other, as one. @returns undefined when they must stay two */
  asOne?(earlier: Input, later: Input): Input | undefined;
  /** Whether the change is about this record alone: of the cart, about the line of this product. */
  isAbout?(input: Input, id: string): boolean;
  /** Whether the refusal means that the intention is fulfilled already. */
  isDone?(rejection: ApiError): boolean;
  /** The form waits for the answer and still has the text, so a refused entry is removed from the outbox. */
  isOfForm?: boolean;
  /** Whether it may be sent when nobody is signed in. */
  isForVisitors?: boolean;
  /** Many that wait are sent as one call: it passes `fetch` on, and the contract marks it with x-batched. */
  isBatched?: boolean;
}

/** What a call needs beside its input: `fetch` is what carries it where it is part of a batch. */
export interface Sending extends KeyHeader {
  signal: AbortSignal;
  fetch?: Send;
}

/** By name, as the contract has it. */
export type Operations = Readonly<Partial<Record<string, Operation>>>;

/** The input of a signed-in user has the user's id; a visitor's has none. */
export interface AnyInput {
  userId: string;
}

export interface Answer<Data> {
  /** Undefined when the change was done without an answer of its own. */
  data: Data | undefined;
  /** Whether the answer may be old: the server gives a repeated call its first answer again. */
  isOld: boolean;
}

/** What each operation needs. A feature adds its own where it defines them: `declare module '../outbox/operation'`. */
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
  /** The device has it and will send it; `because` is the reason to show. */
  | { queued: true; because: 'offline' | 'busy' | 'unkept' };

/**
 * Short names for the generated types of the contract. Say `Schema<'Cart'>` instead of writing a shape again: it moves
 * with openapi/*.yaml, and what no longer fits stops compiling.
 */
import type { components, operations } from './contract.gen';

/** The name of a call: `addCartItem`. Its route, sender and tests have the same. */
export type OperationId = keyof operations;

/** A shape on the wire by its name in the contract: `Schema<'Cart'>`, `Schema<'NewCartItem'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** One call with its parameters, request body and answers, as OpenAPI lays them out. */
export type Operation<Id extends OperationId> = operations[Id];

/** What a call's path carries: `PathOf<'getCart'>` is `{ userId: string }`. */
export type PathOf<Id extends OperationId> = NonNullable<Operation<Id>['parameters']['path']>;

/** What may stand behind the `?` of a call. All of it has a default or may be left out, unless it says otherwise. */
export type QueryOf<Id extends OperationId> = NonNullable<Operation<Id>['parameters']['query']>;

/** The body that a call takes, `undefined` where it takes none. */
export type BodyOf<Id extends OperationId> =
  Operation<Id> extends { requestBody?: never } ? undefined : ContentOf<NonNullable<Operation<Id>['requestBody']>>;

/** What a call answers when it succeeds: `{ message, data }`. */
export type AnswerOf<Id extends OperationId> = JsonOf<SuccessOf<Operation<Id>['responses']>>;

/** The `data` of that answer: `DataOf<'getCart'>` is `{ cartResponse: Schema<'Cart'> }`. */
export type DataOf<Id extends OperationId> = AnswerOf<Id>['data'];

type SuccessOf<Answers> = Answers[keyof Answers & (200 | 201 | 202)];
type JsonOf<Answer> = Answer extends { content: { 'application/json': infer Body extends { data: unknown } } }
  ? Body
  : never;
type ContentOf<Body> = Body extends { content: infer Content } ? Content[keyof Content] : never;

/**
 * Short names for the generated types of the contract. Use `Schema<'Cart'>` instead of declaring a shape again: it
 * follows openapi/*.yaml, and code that no longer fits stops compiling.
 */
import type { components, OperationRules, operations } from './contract.gen';

/** An operation name: `addCartItem`. Its route, sender and tests use the same name. */
export type OperationId = keyof operations;

/** A shape on the wire by its name in the contract: `Schema<'Cart'>`, `Schema<'NewCartItem'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** All error codes that openapi/ lists. */
export type ProblemCode = Schema<'Problem'>['code'];

/** One operation with its parameters, request body and responses, as OpenAPI structures them. */
export type Operation<Id extends OperationId> = operations[Id];

/** Roles allowed to make a call; `visitor` means that no login is needed. */
export type RolesOf<Id extends OperationId> = OperationRules[Id]['roles'];

/** The transaction a call runs in: opened by the contract layer, opened by the service, or none. */
export type TransactionOf<Id extends OperationId> = OperationRules[Id]['transaction'];

/** The path parameters of an operation: `PathOf<'getCart'>` is `{ userId: string }`. */
export type PathOf<Id extends OperationId> = NonNullable<Operation<Id>['parameters']['path']>;

/** The query parameters of an operation. */
export type QueryOf<Id extends OperationId> = NonNullable<Operation<Id>['parameters']['query']>;

/** The request body of an operation; `undefined` if it has none. */
export type BodyOf<Id extends OperationId> =
  Operation<Id> extends { requestBody?: never } ? undefined : ContentOf<NonNullable<Operation<Id>['requestBody']>>;

/** The success response of an operation: `{ message, data }`. */
export type AnswerOf<Id extends OperationId> = JsonOf<SuccessOf<Operation<Id>['responses']>>;

/** The `data` of that response: `DataOf<'getCart'>` is `{ cartResponse: Schema<'Cart'> }`. */
export type DataOf<Id extends OperationId> = AnswerOf<Id>['data'];

type SuccessOf<Answers> = Answers[keyof Answers & (200 | 201 | 202)];
type JsonOf<Answer> = Answer extends { content: { 'application/json': infer Body extends { data: unknown } } }
  ? Body
  : never;
type ContentOf<Body> = Body extends { content: infer Content } ? Content[keyof Content] : never;

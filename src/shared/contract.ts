/**
 * Short names for the generated types of the contract. Use `Schema<'Cart'>` instead of writing a shape again: it
 * changes with openapi/*.yaml, and code that no longer fits stops compiling.
 */
import type { components, OperationRules, operations } from './contract.gen';

/** The name of a call: `addCartItem`. Its route, sender and tests have the same name. */
export type OperationId = keyof operations;

/** A shape on the wire by its name in the contract: `Schema<'Cart'>`, `Schema<'NewCartItem'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** Error codes, for programs: every code that openapi/ lists. */
export type ProblemCode = Schema<'Problem'>['code'];

/** One call with its parameters, request body and answers, as OpenAPI lays them out. */
export type Operation<Id extends OperationId> = operations[Id];

/** Who may make a call; `visitor` means that no login is needed. */
export type RolesOf<Id extends OperationId> = OperationRules[Id]['roles'];

/** Which transaction a call runs in: one that the contract layer opens, its own, or none. */
export type TransactionOf<Id extends OperationId> = OperationRules[Id]['transaction'];

/** The path parameters of a call: `PathOf<'getCart'>` is `{ userId: string }`. */
export type PathOf<Id extends OperationId> = NonNullable<Operation<Id>['parameters']['path']>;

/** The query parameters of a call. */
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

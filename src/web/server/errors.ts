import type { ProblemCode, Schema } from '../../shared/contract';
import { unexpected } from '../../shared/failures';

/** The contract's codes and two of the browser: no response from our API, and a response without a code. */
export type ErrorCode = ProblemCode | 'no_connection' | 'unknown';

type FieldErrors = readonly Schema<'FieldError'>[];

/**
 * An error response of the server. Decide by `code`, show `message`.
 * Source: the contract's problem.yaml
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly errors: FieldErrors;

  constructor(status: number, problem: { message?: string; code?: ErrorCode; errors?: FieldErrors }) {
    super(problem.message ?? '');
    this.status = status;
    this.code = problem.code ?? 'unknown';
    this.errors = problem.errors ?? [];
  }

  /** The response may come from an intermediary, and then it is no problem document. */
  static async from(response: Response): Promise<ApiError> {
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return new ApiError(response.status, isJson ? await response.json().catch(() => ({})) : {});
  }
}

/** @returns whether the server rejected the request, so that a retry wouldn't help */
export function isRejection(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/** @returns whether the resource doesn't exist: retrying wouldn't help, another page may */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** @returns whether a page's URL leads nowhere: the resource doesn't exist, or the URL contains no valid ID */
export const isNowhere = (error: unknown): boolean =>
  isMissing(error) || (error instanceof ApiError && error.status === 400);

export const noConnection = (): ApiError => new ApiError(0, { code: 'no_connection' });

/** @returns whether our API didn't respond: then saved data may be shown */
export function isNoConnection(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'no_connection';
}

export function sentenceOf(error: unknown, failure = unexpected): string {
  return (error instanceof ApiError && error.message) || failure;
}

/** What the user must do before anything else. Rule: docs/rules/accounts.md, Duties */
export type Duty = NonNullable<Schema<'MustDo'>>;

/** The errors that all other calls return until then. */
export const dutyByCode: Partial<Record<ErrorCode, Duty>> = {
  password_change_required: 'change_password',
  second_factor_setup_required: 'set_up_second_factor',
};

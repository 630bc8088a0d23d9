type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

/** An error in the provider's format and wording. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: ErrorType;
  readonly code: string | undefined;
  readonly param: string | undefined;
  /** Whether the client is told to retry (`Stripe-Should-Retry: true`). */
  readonly shouldRetry: boolean;

  constructor(
    status: number,
    message: string,
    details: { type?: ErrorType; code?: string | undefined; param?: string | undefined; shouldRetry?: boolean } = {},
  ) {
    super(message);
    this.status = status;
    this.type = details.type ?? 'invalid_request_error';
    this.code = details.code;
    this.param = details.param;
    this.shouldRetry = details.shouldRetry ?? false;
  }

  /** The body of the response. */
  toBody(): string {
    const { type, code, param, message } = this;
    const doc_url = code && `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;
    return JSON.stringify({ error: { type, code, param, message, doc_url } });
  }
}

/** 400: a parameter is invalid. */
export function badParam(param: string, message: string, code?: string): ApiError {
  return new ApiError(400, message, { param, code });
}

export function missingParam(param: string): ApiError {
  return badParam(param, `Missing required param: ${param}.`, 'parameter_missing');
}

/** 404; 400 when the id was a parameter of a call about another object. */
export function noSuch(object: string, id: string, param: string, status: 400 | 404 = 404): ApiError {
  return new ApiError(status, `No such ${object}: '${id}'`, { code: 'resource_missing', param });
}

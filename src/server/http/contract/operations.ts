/**
 * The contract's operations: access rules, request and response schemas. Reads contract.gen.json,
 * which `npm run contract` writes from openapi/.
 */
import type { OperationId } from '../../../shared/contract';
import type { AccessRule, Role } from './access';
import type { RateLimitName } from '../limits/limitTable';
import contract from './contract.gen.json' with { type: 'json' };

type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  explode?: boolean;
  schema: object;
  'x-own'?: boolean;
};
type Content = { required?: boolean; content?: Record<string, { schema: object }> };
export type ContractOperation = {
  operationId: OperationId;
  'x-roles'?: readonly Role[];
  'x-transaction': 'opened' | 'own' | 'none';
  'x-while-unfinished'?: true;
  'x-ignores-authorization'?: true;
  'x-body-limit'?: number;
  'x-file-limit'?: number;
  'x-rate-limit'?: RateLimitName;
  'x-batched'?: true;
  parameters?: readonly Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
export type Bound = { path: string; method: string; operation: ContractOperation };

/** Every operation of the contract, by its id. */
export const operations: ReadonlyMap<OperationId, Bound> = new Map(
  Object.entries<object>(contract.paths).flatMap(([path, methods]) =>
    // src/tools/contract.mjs writes the file in this shape
    Object.entries(methods as Record<string, ContractOperation>).map(([method, operation]) => [
      operation.operationId,
      { path, method: method.toUpperCase(), operation },
    ]),
  ),
);

export const takesKey = ({ parameters = [] }: ContractOperation): boolean =>
  parameters.some(({ name }) => name === 'Idempotency-Key');

export function accessRule({ operation }: Bound): AccessRule {
  const { operationId, parameters = [] } = operation;
  const roles = operation['x-roles'];
  if (!roles?.length) throw new Error(`${operationId} doesn't declare which roles may call it`);
  const own = parameters.filter((parameter) => parameter['x-own']).map(({ name }) => name);
  return {
    roles,
    own,
    whileUnfinished: operation['x-while-unfinished'] ?? false,
    ignoresAuthorization: operation['x-ignores-authorization'] ?? false,
  };
}

const schemas = new Map<Bound, ReturnType<typeof makeSchemas>>();

/** Returns the same object each time, since compiled validators are looked up by it. */
export function schemasOf(bound: Bound): ReturnType<typeof makeSchemas> {
  const made = schemas.get(bound) ?? makeSchemas(bound);
  schemas.set(bound, made);
  return made;
}

const makeSchemas = ({ method, operation: { parameters = [], requestBody, responses } }: Bound) => {
  const [content] = Object.values(requestBody?.content ?? {});
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  const body = content?.schema ?? (method === 'GET' ? undefined : objectOf([])); // no body in the contract: no fields are accepted
  return {
    params: objectOf(parameters.filter((parameter) => parameter.in === 'path')),
    querystring: objectOf(parameters.filter((parameter) => parameter.in === 'query')),
    ...(headers.length > 0 && { headers: headersOf(headers) }),
    ...(body && { body }),
    response: Object.fromEntries(
      Object.entries(responses).flatMap(([code, answer]) => {
        const schema = answer.content?.['application/json']?.schema;
        return schema && code.startsWith('2') ? [[code, schema]] : [];
      }),
    ),
  };
};

export function answerSchema(id: OperationId): object {
  const answers = Object.entries(operations.get(id)?.operation.responses ?? {});
  const schema = answers.find(([status]) => status.startsWith('2'))?.[1].content?.['application/json']?.schema;
  if (!schema) throw new Error(`${id} has no JSON response`);
  return schema;
}

const objectOf = (parameters: readonly Parameter[]) => ({
  type: 'object',
  additionalProperties: false,
  required: parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
});

/** Header names are case-insensitive, and requests have many others. */
const headersOf = (parameters: readonly Parameter[]) => ({
  ...objectOf(parameters.map((parameter) => ({ ...parameter, name: parameter.name.toLowerCase() }))),
  additionalProperties: true,
});

/** The contract as written, with every limit and format, to check requests and responses in tests. */
import { bundle, createConfig } from '@redocly/openapi-core';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OperationId } from '../../src/shared/contract';

export type ContractOperation = {
  operationId: OperationId;
  path: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  'x-roles': ('visitor' | 'customer' | 'admin' | 'owner')[];
  'x-problems': Record<string, number>;
  parameters?: {
    name: string;
    in: 'path' | 'query' | 'header';
    required?: boolean;
    example?: unknown;
    'x-own'?: boolean;
    schema?: Shape;
  }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Shape }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
};

/** A schema, as far as tests need it. */
export type Shape = {
  examples?: unknown[];
  format?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  oneOf?: Shape[];
  anyOf?: Shape[];
  allOf?: Shape[];
};

type Contract = {
  paths: Record<string, Record<string, Omit<ContractOperation, 'path' | 'method'>>>;
  'x-general-problems': Record<string, number>;
};

const config = await createConfig({});
const { bundle: bundled } = await bundle({ ref: 'openapi/openapi.yaml', config, dereference: true });
const contract = bundled.parsed as Contract;

export const generalProblems = contract['x-general-problems'];

export const contractOperations: ReadonlyMap<OperationId, ContractOperation> = new Map(
  Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [OperationId, ContractOperation] => [
      operation.operationId,
      { ...operation, path, method: method.toUpperCase() as ContractOperation['method'] },
    ]),
  ),
);

/** The first example of an operation's body in the contract; if it has several shapes, of the first one. */
export function exampleOf({ requestBody }: Pick<ContractOperation, 'requestBody'>): object | undefined {
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
  return (schema?.examples ?? schema?.oneOf?.[0]?.examples)?.[0] as object | undefined;
}

const ajv = new Ajv2020({ strictSchema: false, allErrors: true, multipleOfPrecision: 6 });
addFormats(ajv);
const compiled = new Map<string, ValidateFunction>();

/** @returns how a response breaks the contract; undefined when it does not */
export function findContractBreach(
  id: OperationId,
  status: number,
  contentType: string,
  body: unknown,
): string | undefined {
  const { responses } = requireOperation(id);
  const answer = responses[status] ?? responses['default'];
  const type = contentType.split(';')[0]?.trim() ?? '';
  if (!answer) return `${id} answers ${status}, which the contract does not know`;
  if (!answer.content) return undefined;
  const schema = answer.content[type]?.schema;
  if (!schema) return `${id} answers ${status} as '${type}', not as ${Object.keys(answer.content).join(' or ')}`;
  const validate = compiled.get(`${id} ${status}`) ?? ajv.compile(schema);
  compiled.set(`${id} ${status}`, validate);
  return validate(body) ? undefined : `${id} ${status}: ${ajv.errorsText(validate.errors)}`;
}

export function requireOperation(id: OperationId): ContractOperation {
  const operation = contractOperations.get(id);
  if (!operation) throw new Error(`the contract has no ${id}`);
  return operation;
}

/**
 * Checks the contract in openapi/ and generates two files from it: the types, and for the server one JSON file with every
 * `$ref` resolved. Both are committed; `--check` fails when they are out of date.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const contractFile = fileURLToPath(new URL('openapi/openapi.yaml', root));

async function main() {
  const contract = await readContract();
  const written = [
    ['src/shared/contract.gen.ts', await typesOf(contract)],
    ['src/server/http/contract/contract.gen.json', serverContractOf(contract)],
  ];
  if (!process.argv.includes('--check')) {
    for (const [file, text] of written) await writeFile(new URL(file, root), text);
    return;
  }
  for (const [file, text] of written) {
    if ((await readFile(new URL(file, root), 'utf8').catch(() => '')) === text) continue;
    fail(`${file} is not what openapi/ says: run npm run contract and commit the result`);
  }
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Bundles the contract into one object. @throws Error with the linter's findings */
async function readContract() {
  const { bundle, createConfig, formatProblems, lint } = await import('@redocly/openapi-core');
  const config = await createConfig({ extends: ['recommended'], rules: lintRules });
  const problems = await lint({ ref: contractFile, config });
  if (problems.length) {
    formatProblems(problems, { totals: { errors: problems.length, warnings: 0, ignored: 0 } });
    fail(`openapi/ has ${problems.length} mistakes`);
  }
  const { bundle: bundled } = await bundle({ ref: contractFile, config });
  return bundled.parsed;
}

const lintRules = {
  'operation-4xx-response': 'off', // errors are the `default` response
  'security-defined': 'off', // x-roles says who may call
  'no-ambiguous-paths': 'off', // /public/order/check-status and …/{orderId}: the router prefers the literal path
  'operation-operationId': 'error',
  'operation-operationId-unique': 'error',
  'operation-summary': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'no-unused-components': 'error',
};

async function typesOf(contract) {
  const { default: openapiTypes, astToString } = await import('openapi-typescript');
  const whole = structuredClone(contract);
  whole.components.schemas.Problem.properties.code.enum = codesOf(contract); // a pattern has no type
  return [
    '// Written by `npm run contract` from openapi/*.yaml. Do not edit.\n',
    astToString(await openapiTypes(whole)),
    rulesOf(contract),
  ].join('\n');
}

/** What a handler may rely on: whether a user is signed in, and which transaction it runs in. */
function rulesOf(contract) {
  const lines = operationsOf(contract).map((operation) => {
    const roles = operation['x-roles'].map((role) => `'${role}'`).join(' | ');
    return `    ${operation.operationId}: { roles: ${roles}; transaction: '${transactionOf(operation, contract)}' };`;
  });
  return `/** Who may call each operation, and which transaction it runs in: one that the contract layer opens, its own, or none. */
export interface OperationRules {\n${lines.join('\n')}\n}\n`;
}

/** A call that may be repeated with its key runs in one transaction with that key, unless it opens its own. */
function transactionOf({ 'x-transaction': own, parameters = [] }, contract) {
  const takesKey = resolved(parameters, contract).some(({ name }) => name === 'Idempotency-Key');
  return own ?? (takesKey ? 'opened' : 'none');
}

const operationsOf = ({ paths }) => Object.values(paths).flatMap((methods) => Object.values(methods));

/** Every code that an error may have. */
function codesOf(contract) {
  const own = operationsOf(contract).map((operation) => operation['x-problems']);
  return Object.keys(Object.assign({}, contract['x-general-problems'], ...own)).sort();
}

/** One line per path, so that a diff shows which call changed. */
function serverContractOf(contract) {
  const paths = Object.entries(contract.paths).map(
    ([path, methods]) =>
      `    ${JSON.stringify(path)}: ${JSON.stringify(mapValues(methods, (it) => operationOf(it, contract)))}`,
  );
  const problems = JSON.stringify(contract['x-general-problems']);
  return `{\n  "x-general-problems": ${problems},\n  "paths": {\n${paths.join(',\n')}\n  }\n}\n`;
}

function operationOf(operation, contract) {
  const resolve = (node) => resolved(node, contract);
  const extensions = Object.entries(operation).filter(([key]) => key.startsWith('x-'));
  return {
    operationId: operation.operationId,
    ...Object.fromEntries(extensions),
    'x-transaction': transactionOf(operation, contract),
    parameters: resolve(operation.parameters ?? []).map((parameter) => ({
      ...omit(parameter, words),
      schema: requestSchema(parameter.schema),
    })),
    ...(operation.requestBody && {
      requestBody: {
        required: operation.requestBody.required,
        content: mapValues(resolve(operation.requestBody).content, ({ schema }) => ({ schema: requestSchema(schema) })),
      },
    }),
    responses: mapValues(resolve(successesOf(operation)), ({ content }) => ({
      content: mapValues(content, ({ schema }) => ({ schema: answerSchema(schema) })),
    })),
  };
}

/** Successes only: all errors have one shape, written by http/core/problems.ts. */
function successesOf({ responses }) {
  return Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith('2')));
}

/** The node with every `$ref` replaced by its target; keys beside a `$ref` win. */
function resolved(node, contract) {
  if (Array.isArray(node)) return node.map((item) => resolved(item, contract));
  if (node === null || typeof node !== 'object') return node;
  const { $ref, ...beside } = node;
  if ($ref === undefined) return mapValues(node, (value) => resolved(value, contract));
  const target = $ref
    .slice(2)
    .split('/')
    .reduce((at, key) => at[key.replaceAll('~1', '/').replaceAll('~0', '~')], contract);
  return resolved({ ...target, ...beside }, contract);
}

const words = new Set(['description', 'example', 'examples']);
const limits = new Set([
  'format',
  'pattern',
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

const requestSchema = (schema) => mapSchema(schema, (part) => omit(part, words));

/** Response schemas keep only their structure: the serializer checks no limits, and formats would slow it down. */
const answerSchema = (schema) => nullable(mapSchema(schema, (part) => omit(omit(part, words), limits)));

/** Turns `anyOf: [X, null]` into a nullable X, which the serializer writes without trying both. */
function nullable(schema) {
  return mapSchema(schema, (part) => {
    const [shape, none] = part.anyOf ?? [];
    return part.anyOf?.length === 2 && none.type === 'null' ? { ...shape, type: [shape.type, 'null'] } : part;
  });
}

/** Changes a schema and its nested schemas, but not property names. */
function mapSchema(schema, change) {
  if (schema === null || typeof schema !== 'object') return schema;
  return mapValues(change(schema), (value, keyword) => {
    if (keyword === 'properties') return mapValues(value, (property) => mapSchema(property, change));
    if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) return value.map((part) => mapSchema(part, change));
    if (['items', 'not', 'additionalProperties'].includes(keyword)) return mapSchema(value, change);
    return value;
  });
}

function omit(object, keys) {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.has(key)));
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

await main();

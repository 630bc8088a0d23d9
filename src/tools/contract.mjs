/**
 * Checks the contract in openapi/ and writes what the code needs of it: its types for everybody, and for the server one
 * JSON with every `$ref` resolved. Both files are committed; `--check` fails when they are not what openapi/ says.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const contractFile = fileURLToPath(new URL('openapi/openapi.yaml', root));

async function main() {
  const contract = await readContract();
  const written = [
    ['src/shared/contract.gen.ts', await typesOf(contract)],
    ['src/server/http/contract.gen.json', serverContractOf(contract)],
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

/** The whole contract as one object, its shapes by name under components; stops with the linter's findings. */
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
  'operation-4xx-response': 'off', // refusals are the `default` answer
  'security-defined': 'off', // x-roles says who may call
  'no-ambiguous-paths': 'off', // /public/order/check-status and /public/order/{orderId}: the router takes the literal one
  'operation-operationId': 'error',
  'operation-operationId-unique': 'error',
  'operation-summary': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'no-unused-components': 'error',
};

async function typesOf(contract) {
  const { default: openapiTypes, astToString } = await import('openapi-typescript');
  const codes = Object.keys(allProblems(contract)).sort();
  return [
    '// Written by `npm run contract` from openapi/*.yaml. Do not edit.\n',
    astToString(await openapiTypes(structuredClone(contract))),
    `/** Every code that a refusal may carry. */\nexport type ProblemCode =\n${codes.map((code) => `    | '${code}'`).join('\n')};\n`,
  ].join('\n');
}

function allProblems(contract) {
  const operations = Object.values(contract.paths).flatMap((path) => Object.values(path));
  return Object.assign({}, contract['x-general-problems'], ...operations.map((operation) => operation['x-problems']));
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

/** Only what has a body to write; every refusal is one shape, which http/problems.ts writes. */
function successesOf({ responses }) {
  return Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith('2')));
}

/** The node with every `$ref` in it replaced by what it points to; what stands beside a `$ref` wins. */
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

/** Answers keep only their structure: the serializer checks no limits, and a format costs it time. */
const answerSchema = (schema) => nullable(mapSchema(schema, (part) => omit(omit(part, words), limits)));

/** `anyOf: [X, null]` as X that may be null, which the serializer writes without trying one after the other. */
function nullable(schema) {
  return mapSchema(schema, (part) => {
    const [shape, none] = part.anyOf ?? [];
    return part.anyOf?.length === 2 && none.type === 'null' ? { ...shape, type: [shape.type, 'null'] } : part;
  });
}

/** Changes a schema and those inside it; the names of properties are not keywords and stay. */
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

import { fileURLToPath } from 'node:url';
import { bundle, createConfig } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';

type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean;
  required?: string[];
  items?: JsonSchema;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  examples?: unknown[];
};
type Parameter = { name: string; in: string; schema: JsonSchema; example?: unknown; 'x-own'?: boolean };
type Content = Record<string, { schema: JsonSchema }>;
type Operation = {
  operationId: string;
  summary: string;
  'x-roles': string[];
  'x-problems': Record<string, number>;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
type Contract = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
  'x-general-problems': Record<string, number>;
};

const contract = await readContract();
const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation, id: operation.operationId })),
);
/** Called by the payment provider, which knows no keys of ours and defines the shape of its events. */
const fromTheProvider = 'receivePaymentEvent';
/** A stream of events, each with its own data. */
const liveEvents = 'streamEvents';
const isFile = ({ responses }: { responses: Operation['responses'] }) =>
  ['text/csv', 'application/x-tar'].some((type) => type in (responses['200']?.content ?? {}));

describe('who may call', () => {
  test.each(operations)('$id has a name, a summary and its roles', ({ operation }) => {
    expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(operation.summary).not.toBe('');
    expect([
      ['visitor', 'customer', 'admin', 'owner'],
      ['customer', 'admin', 'owner'],
      ['admin', 'owner'],
      ['owner'],
    ]).toContainEqual(operation['x-roles']);
  });

  test('each operation has a unique name', () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  });

  test('the calls under /admin are for staff', () => {
    for (const { path, operation } of operations.filter(({ path }) => path.startsWith('/admin/'))) {
      expect([['admin', 'owner'], ['owner']], path).toContainEqual(operation['x-roles']);
    }
  });

  test('a user id in a public path, or of staff’s own emails, must be the caller’s own', () => {
    const found = operations.flatMap(({ path, operation }) =>
      (operation.parameters ?? []).filter(({ name }) => name === 'userId').map((parameter) => ({ path, parameter })),
    );
    for (const { path, parameter } of found) {
      expect(parameter['x-own'] ?? false, path).toBe(path.startsWith('/public/') || path.endsWith('/staff-mails'));
    }
  });
});

describe('requests', () => {
  test('each change outside /auth can be repeated with its Idempotency-Key', () => {
    const repeatable = operations
      .filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'Idempotency-Key'))
      .map(({ id }) => id);
    const changes = operations
      .filter(({ method, path, id }) => method !== 'get' && !path.startsWith('/auth/') && id !== fromTheProvider)
      .filter(({ id }) => id !== 'sendBatch' && id !== 'previewPage') // each change of a batch has a key; a preview changes nothing
      .map(({ id }) => id);
    expect(repeatable).toEqual(changes);
  });

  test('request bodies allow no unknown fields', () => {
    for (const { id, operation } of operations.filter(({ id }) => id !== fromTheProvider)) {
      const [body] = Object.values(operation.requestBody?.content ?? {});
      if (body) expect(openObjects(body.schema, id)).toEqual([]);
    }
  });

  test('each text in a request has a maximum length or a pattern', () => {
    for (const { id, operation } of operations.filter(({ id }) => id !== fromTheProvider)) {
      const [body] = Object.values(operation.requestBody?.content ?? {});
      const schemas = [...(body ? [body.schema] : []), ...(operation.parameters ?? []).map(({ schema }) => schema)];
      for (const schema of schemas) expect(endlessTexts(schema, id)).toEqual([]);
    }
  });
});

describe('responses', () => {
  test('only the live events and the files are not JSON', () => {
    const others = operations.filter(
      ({ operation: { responses } }) =>
        !['200', '201', '202'].some((status) => responses[status]?.content?.['application/json']),
    );
    expect(others.filter(({ operation }) => !isFile(operation)).map(({ id }) => id)).toEqual([liveEvents]);
    for (const { id } of others) expect(id).toMatch(/^(?:export|download)[A-Z]|^streamEvents$/);
  });

  test.each(operations.filter(({ id, operation }) => id !== liveEvents && !isFile(operation)))(
    '$id returns a message and data, or the one error shape',
    ({ operation, id }) => {
      const [[status, success] = [], ...others] = Object.entries(operation.responses).filter(([code]) =>
        code.startsWith('2'),
      );
      const schema = success?.content?.['application/json']?.schema;
      expect(others).toEqual([]);
      expect(['200', '201', '202']).toContain(status);
      expect(Object.keys(schema?.properties ?? {})).toEqual(['message', 'data']);
      expect(openObjects(schema ?? {}, id)).toEqual([]);
      expect(operation.responses['default']?.content).toHaveProperty(['application/problem+json']);
    },
  );

  test('an error code has the same status everywhere', () => {
    const statuses = new Map(Object.entries(contract['x-general-problems']));
    for (const { id, operation } of operations) {
      for (const [code, status] of Object.entries(operation['x-problems'])) {
        expect(code, id).toMatch(/^[a-z]+(_[a-z]+)*$/);
        expect(contract['x-general-problems'], `${id} repeats a refusal that every operation has`).not.toHaveProperty(
          code,
        );
        expect(statuses.get(code) ?? status, `${id}: ${code}`).toBe(status);
        statuses.set(code, status);
      }
    }
  });
});

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 6 }); // 0.07 / 0.01 is 7.000000000000001
  addFormats(ajv);

  const shown = Object.entries(contract.components.schemas).filter(([, schema]) => schema.examples);
  test.each(shown)('the examples of %s match the schema', (name, schema) => {
    for (const example of schema.examples ?? []) {
      expect(ajv.validate(schema, example), `${name}: ${ajv.errorsText()}`).toBe(true);
    }
  });

  test('the examples of parameters match their schemas', () => {
    for (const { id, operation } of operations) {
      for (const { name, schema, example } of operation.parameters ?? []) {
        if (example !== undefined)
          expect(ajv.validate(schema, example), `${id} ${name}: ${ajv.errorsText()}`).toBe(true);
      }
    }
  });

  test('each request body, and each response’s data, has an example', () => {
    const lacking = operations.flatMap(({ id, operation }) => {
      const [body] = Object.values(operation.requestBody?.content ?? {});
      const answers = Object.values(operation.responses).flatMap(({ content }) => Object.values(content ?? {}));
      return [
        ...(body && !hasExample(body.schema) ? [`${id} takes`] : []),
        ...(answers.every(({ schema }) => hasExample(schema)) ? [] : [`${id} answers`]),
      ];
    });
    expect(lacking).toEqual([]);
  });
});

async function readContract(): Promise<Contract> {
  const ref = fileURLToPath(new URL('../../openapi/openapi.yaml', import.meta.url));
  const { bundle: bundled } = await bundle({ ref, config: await createConfig({}), dereference: true });
  return bundled.parsed as Contract;
}

/** The places in a schema where an object accepts unknown fields. */
function openObjects(schema: JsonSchema, at: string): string[] {
  const isOpen = schema.type === 'object' && schema.additionalProperties !== false;
  return [...(isOpen ? [at] : []), ...partsOf(schema).flatMap(([name, part]) => openObjects(part, `${at}.${name}`))];
}

function endlessTexts(schema: JsonSchema, at: string): string[] {
  const isText = [schema.type].flat().includes('string');
  const isBounded = ['maxLength', 'pattern', 'enum', 'format'].some((keyword) => keyword in schema);
  return [
    ...(isText && !isBounded ? [at] : []),
    ...partsOf(schema).flatMap(([name, part]) => endlessTexts(part, `${at}.${name}`)),
  ];
}

/** Its own, or one in a part of it: the example of the shape inside a response counts. */
function hasExample(schema: JsonSchema): boolean {
  return schema.examples !== undefined || partsOf(schema).some(([, part]) => hasExample(part));
}

function partsOf({ properties = {}, items, oneOf = [], anyOf = [] }: JsonSchema): [string, JsonSchema][] {
  const choices = [...oneOf, ...anyOf].map((choice): [string, JsonSchema] => ['or', choice]);
  return [...Object.entries(properties), ...choices, ...(items ? [['items', items] as [string, JsonSchema]] : [])];
}

/** What comments, tests and documents point to is there. Each check is tried on something that is not. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  brokenLinks,
  brokenPointers,
  filesUnder,
  missingPaths,
  missingProofs,
  paperReferences,
  rowsOfCalls,
} from '../support/documents';

const read = (file: string) => readFileSync(file, 'utf8');
const sources = filesUnder(['src', 'sw', 'tests', 'openapi']).filter(
  (file) => !/tools\/rules\.test\.ts|support\/documents\.ts/.test(file),
);
const pages = ['README.md', 'CONTRIBUTING.md', ...filesUnder(['docs', 'tests'], /\.md$/)];

/** What a check finds, each with its file. */
const foundIn = (files: readonly string[], check: (text: string, file: string) => string[]) =>
  files.flatMap((file) => check(read(file), file).map((found) => `${file}: ${found}`));

describe('a pointer to a rule', () => {
  test('leads to a page and a heading that are there', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(foundIn(sources, brokenPointers)).toEqual([]);
  });

  test.each([
    '/** Rule: docs/rules/cart.md, Adding */',
    ' * Rule: docs/rules/cart.md,\n * The cart\n */',
    '// docs/rules/orders-and-payment.md, Status changes; PCI DSS 8.3.6',
    '# docs/rules/cart.md says more',
  ])('is right: %j', (text) => expect(brokenPointers(text)).toEqual([]));

  test.each([
    '/** Rule: docs/rules/cart.md, Addition */',
    '/** Rule: docs/rules/cart.md, Addings */',
    '/** Rule: docs/rules/basket.md, Adding */',
    '/** Rule: docs/rules/cart.md */',
    '// as docs/basket.md says',
  ])('is found to be wrong: %j', (text) => expect(brokenPointers(text)).toHaveLength(1));
});

describe('a link of a document', () => {
  test('leads to a file, and to a heading of it', () => {
    expect(pages.length).toBeGreaterThan(15);
    expect(foundIn(pages, (text, page) => brokenLinks(page, text))).toEqual([]);
  });

  test.each(['[a](nowhere.md)', '[a](rules/cart.md#addition)', '[a](#nowhere)', '![a](screenshots/none.png)'])(
    'is found to be wrong: %s',
    (link) => expect(brokenLinks('docs/security.md', `# Working\n\n${link}\n`)).toHaveLength(1),
  );
});

test('a path that a document names is there', () => {
  expect(foundIn(pages, missingPaths)).toEqual([]);
  const text =
    'see `src/server/nowhere.ts`, `src/web/<feature>/queries.ts`, `docs/security.md`, `Nowhere.tsx`, `jobs.ts`';
  expect(missingPaths(text)).toEqual(['src/server/nowhere.ts', 'Nowhere.tsx']);
});

describe('a paper that is not in the repository', () => {
  test('is named nowhere', () => {
    expect(foundIn([...sources, ...pages], paperReferences)).toEqual([]);
  });

  test.each([
    '/** Source: decisions §5 */',
    ' * as the specification wants it',
    '// reliability D7',
    '# beyond §3',
    '// see §4',
    "test('B15.2: a twin click', () => {",
    "test.each(cases)('G3,G4: %s', () => {",
  ])('is found: %s', (line) => expect(paperReferences(line)).toEqual([line]));

  test.each(['const bytes = 20; // RFC 4226 §4', "test('A to B: both', () => {", '// the decision of 2026'])(
    'is not this: %s',
    (line) => expect(paperReferences(line)).toEqual([]),
  );
});

describe('a failure or an attack', () => {
  test('is proved by tests that are there', () => {
    const page = read('docs/rules/failures.md');
    expect(page.match(/`tests\//g)?.length).toBeGreaterThan(150);
    expect(missingProofs(page)).toEqual([]);
  });

  test('so is what is different on an iPhone', () => {
    const page = read('docs/iphone.md');
    expect(page.match(/`tests\//g)?.length).toBeGreaterThan(20);
    expect(missingProofs(page)).toEqual([]);
  });

  const file = '`tests/tools/rules.test.ts`';
  test.each([
    '`tests/server/nowhere.test.ts` is proved by tests',
    `${file} is proved by tests that are there<br>${file} is imagined`,
    `${file} What comments, tests and documents point to`,
    'by looking closely',
    '',
  ])('is found to be without its test: %s', (proof) =>
    expect(missingProofs(`| case | provoked | must come of it | proof |\n| a | b | c | ${proof} |`)).toHaveLength(1),
  );
});

describe('the page of the calls', () => {
  type Shape = { type?: string; properties?: Record<string, Shape>; required?: string[]; oneOf?: Shape[] };
  type Content = Record<string, { schema: Shape }>;
  type Operation = {
    operationId: string;
    'x-roles': string[];
    'x-problems': Record<string, number>;
    parameters: { name: string; in: string; required?: boolean; 'x-own'?: boolean }[];
    requestBody?: { content: Content };
    responses: Record<string, { content?: Content }>;
  };
  const { paths } = JSON.parse(read('src/server/http/contract/contract.gen.json')) as {
    paths: Record<string, Record<string, Operation>>;
  };

  test('has every operation of the contract as the contract has it, and no other', () => {
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]) => [
        each.operationId,
        `${method.toUpperCase()} ${path}`,
        whoMay(each),
        sentTo(each) || '–',
        answerOf(each),
        errorsOf(each).join(', ') || '–',
      ]),
    );
    expect(sorted(rowsOfCalls(read('docs/rules/calls.md')))).toEqual(sorted(operations));
  });

  const sorted = (rows: readonly unknown[][]) => rows.map((row) => row.join(' | ')).toSorted();
  const names: Record<string, string> = {
    'visitor customer admin owner': 'everybody',
    'customer admin owner': 'signed in',
    'admin owner': 'staff',
    owner: 'owner',
  };
  const whoMay = ({ 'x-roles': roles, parameters }: Operation) =>
    `${names[roles.join(' ')]}${parameters.some((each) => each['x-own']) ? ', own' : ''}`;
  const sentTo = ({ parameters, requestBody }: Operation) => {
    const query = parameters.filter((each) => each.in === 'query').map((each) => named(each.name, each.required));
    const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(requestBody?.content ?? {});
    const body = schema.oneOf ? schema.oneOf.map((each) => `{${fieldsOf(each)}}`).join(' or ') : fieldsOf(schema);
    return `${query.length > 0 ? '?' : ''}${query.join('&')}${body}${type.startsWith('multipart') ? ' (multipart)' : ''}`;
  };
  const fieldsOf = ({ properties = {}, required = [] }: Shape) =>
    Object.keys(properties)
      .map((name) => named(name, required.includes(name)))
      .join(', ');
  const named = (name: string, isRequired = false) => (isRequired ? name : `[${name}]`);
  const answerOf = ({ responses }: Operation) => {
    const [[status, { content = {} }] = ['', {}]] = Object.entries(responses);
    const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content);
    const data = Object.keys(schema.properties?.['data']?.properties ?? {}).join(', ') || 'empty';
    return `${status === '200' ? '' : `${status} `}${type === 'application/json' ? data : type}`;
  };
  const errorsOf = ({ 'x-problems': problems }: Operation) =>
    Object.entries(problems).map(([code, status]) => `${status} ${code}`);
});

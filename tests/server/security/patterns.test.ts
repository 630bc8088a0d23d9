/**
 * A regular expression that is slow on hostile text stops the whole server, which has one thread. So each one in the
 * code base and the contract is found in the source and judged by a checker.
 * Rule: docs/rules/failures.md, Input
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { emailRule } from '../../../src/shared/authForms';
import { contractOperations } from '../../support/contract';
import { isNightly } from '../../support/nightly';

const inTimeMs = 600_000;
/** Counted in steps, not time: a busy machine would make safe ones look slow. */
const limits = { timeout: inTimeMs, attackTimeout: inTimeMs, incubationTimeout: inTimeMs };
type Pattern = { source: string; flags: string; where: string };

const folders = ['src/server', 'src/shared', 'src/web', 'src/sandbox', 'sw'];

const files = folders.flatMap((folder) =>
  listed(folder).filter((file) => /\.tsx?$/.test(file) && !file.includes('.gen.')),
);

function listed(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file));
  } catch {
    return []; // a folder that does not exist yet
  }
}

/** Literals, and those written out in `new RegExp('…')`; those built at run time cannot be judged here. */
function patternsIn(file: string): { found: Pattern[]; dynamic: string[] } {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Pattern[] = [];
  const dynamic: string[] = [];
  const visit = (node: ts.Node): void => {
    const where = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1), where });
    } else if (isRegExpMade(node)) {
      const [pattern, flags] = node.arguments ?? [];
      if (pattern && ts.isStringLiteralLike(pattern)) {
        found.push({ source: pattern.text, flags: flags && ts.isStringLiteralLike(flags) ? flags.text : '', where });
      } else dynamic.push(where);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { found, dynamic };
}

const isRegExpMade = (node: ts.Node): node is ts.NewExpression | ts.CallExpression =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';

function patternsOfContract(): Pattern[] {
  const found: Pattern[] = [];
  const visit = (value: unknown, where: string): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [key, part] of Object.entries(value)) {
      if (key === 'pattern' && typeof part === 'string') found.push({ source: part, flags: 'u', where });
      else visit(part, where);
    }
  };
  for (const operation of contractOperations.values()) visit(operation, `contract of ${operation.operationId}`);
  return found;
}

const inSource = files.map(patternsIn);
const all = [...inSource.flatMap(({ found }) => found), ...patternsOfContract()];
const different = [...new Map(all.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()];

/** A pattern with at most one repetition takes linear time. */
function canRepeat({ source }: Pattern): boolean {
  const outsideClasses = source.replaceAll(/\\./g, '').replaceAll(/\[[^\]]*\]/g, '');
  return /[*+]|\{\d+,/.test(outsideClasses) || /\\[k1-9]/.test(source);
}

/** Judging one takes up to a second: `npm test` judges those that the shop's forms and its contract run on input. */
const isJudged = ({ where }: Pattern) => isNightly || /^(?:src\/shared|contract)/.test(where);

describe('regular expressions', () => {
  test('are found in the source', () => {
    expect(different.length).toBeGreaterThan(40);
  });

  test('are all written out, none is built from data', () => {
    expect(inSource.flatMap(({ dynamic }) => dynamic)).toEqual([]);
  });

  test(
    'are all safe on any text',
    async () => {
      const unsafe: string[] = [];
      for (const { source, flags, where } of different.filter(canRepeat).filter(isJudged)) {
        const { status } = await check(source, flags, limits);
        if (status !== 'safe') unsafe.push(`${where} ${status}: /${source}/${flags}`);
      }
      expect(unsafe).toEqual([]);
    },
    inTimeMs,
  );
});

const attacks = [
  `a@${'.'.repeat(500_000)}`,
  `${'a'.repeat(500_000)}@`,
  `a@${'a.'.repeat(250_000)}`,
  '@'.repeat(500_000),
  `a@${'a'.repeat(500_000)}!`,
  `${' '.repeat(500_000)}a@b.c${'\u0000'.repeat(10)}`,
];
test.each(attacks.map((text) => [text.slice(0, 12), text]))(
  'judge the address %j… without repeated scans',
  (_, text) => {
    emailRule.safeParse('ana@example.com'); // compiled
    const began = process.cpuUsage(); // not the clock: other load on the machine does not count
    emailRule.safeParse(text);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(5_000);
  },
);

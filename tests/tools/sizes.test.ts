/** How large the house has become. A number here is what was reached; one that grows wants a reason, or a seam. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { filesUnder } from '../support/documents';

const sources = filesUnder(['src', 'sw'], /(?<!\.gen)\.tsx?$/);
const dataLayer = ['browser', 'server', 'outbox', 'device'].map((folder) => `src/web/${folder}`);

test('nine of ten functions are at most 17 lines long, nested ones too', () => {
  const lines = sources.flatMap(functionLines).toSorted((one, other) => one - other);
  expect(lines.length).toBeGreaterThan(5000);
  expect(lines[Math.floor(lines.length * 0.9)]).toBeLessThanOrEqual(17);
});

test('what carries changes and the shop on the device is at most 2,500 lines of code', () => {
  const lines = filesUnder(dataLayer, /\.tsx?$/).flatMap(codeLines);
  expect(lines.length).toBeGreaterThan(2000);
  expect(lines.length).toBeLessThanOrEqual(2500);
});

/** From the first line of each function to its last. */
function functionLines(file: string): number[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const found: number[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body)
      found.push(lineOf(node.end) - lineOf(node.getStart(source)) + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Those with anything but a comment. */
function codeLines(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  return text.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//'));
}

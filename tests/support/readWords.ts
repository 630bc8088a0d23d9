/** The words of the source that people may read: string literals, templates and the text of JSX. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { filesUnder } from './documents';

/** `parts` of a template are its texts between what is filled in; other words have one part. */
export type Words = { parts: readonly string[]; where: string };

const markup = /^(?:className|to|type|id|icon|size|variant|href|src|d|viewBox|style)$/;

/** @returns the words of the TypeScript files under the folders */
export const readWords = (folders: readonly string[]): Words[] =>
  filesUnder(folders, /\.(?:tsx?|mjs)$/).flatMap(wordsIn);

function wordsIn(file: string): Words[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, kind);
  const found: Words[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    if (ts.isJsxAttribute(node) && markup.test(node.name.getText())) return;
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() !== 'markup') return; // SQL
    const parts = partsOf(node).map((part) => part.replaceAll(/\s+/g, ' '));
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    if (parts.some((part) => /\p{L}/u.test(part))) found.push({ parts, where: `${file}:${line + 1}` });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function partsOf(node: ts.Node): string[] {
  if (ts.isTemplateExpression(node)) return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  if (ts.isJsxText(node)) return [node.text.trim().replaceAll('&amp;', '&')];
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) ? [node.text] : [];
}

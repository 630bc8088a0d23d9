/**
 * Rejects the words of docs/rules/words.md, "Words we do not use", in comments, names and documents: a step of
 * `npm run lint`. `node src/tools/words.mjs <folder or file>…` checks only these. Strings are not checked: messages follow
 * the voice of the shop.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const glossary = 'docs/rules/words.md';
const folders = process.argv.slice(2);
const files = execFileSync('git', ['ls-files', '-z', ...(folders.length > 0 ? folders : ['src', 'sw', 'docs', '*.md'])])
  .toString()
  .split('\0')
  .filter((file) => /[.](?:tsx?|mjs|md)$/.test(file) && !/[.]gen[.]/.test(file) && file !== glossary);

const words = [...section(readFileSync(glossary, 'utf8')).matchAll(/^\| ([a-z' ]+?) +\| ([^|]+?) +\|$/gm)]
  .map(([, word, instead]) => ({ word, instead }))
  .filter(({ word }) => word !== 'do not write');
if (words.length === 0) throw new Error(`${glossary} has no table of words we do not use`);

const { default: ts } = await import('typescript');
let found = 0;
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  const plain = file.endsWith('.md') ? text.replaceAll(/`[^`\n]*`|"[^"\n]*"|“[^”\n]*”/g, ' . ') : wordsOf(file, text);
  plain.split('\n').forEach((line, index) => {
    for (const { word, instead } of words) {
      if (!includes(line, word)) continue;
      found += 1;
      console.error(`${file}:${index + 1}: "${word}" (write: ${instead})`);
    }
  });
}
console.log(`${files.length} files, ${found} words that we do not use`);
process.exitCode = found > 0 ? 1 : 0;

function section(markdown) {
  return markdown.slice(markdown.indexOf('## Words we do not use'));
}

/** Whether a line contains the whole word, or its plural. */
function includes(line, word) {
  const lower = ` ${line.toLowerCase().replaceAll(/[^a-z']+/g, ' ')} `;
  return lower.includes(` ${word} `) || lower.includes(` ${word}s `) || lower.includes(` ${word}ed `);
}

/** Comments, and names split into words, each with its line. */
function wordsOf(file, text) {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const lines = text.split('\n').map(() => []);
  const add = (start, words) =>
    words
      .split('\n')
      .forEach((line, index) => lines[source.getLineAndCharacterOfPosition(start).line + index].push(line));
  const comments = new Map();
  const visit = (node) => {
    if (ts.isIdentifier(node)) add(node.getStart(), `. ${node.text.replaceAll(/([a-z])([A-Z])/g, '$1 $2')} .`);
    for (const range of ts.getLeadingCommentRanges(text, node.pos) ?? []) comments.set(range.pos, range.end);
    for (const range of ts.getTrailingCommentRanges(text, node.end) ?? []) comments.set(range.pos, range.end);
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const [start, end] of comments) add(start, text.slice(start, end));
  return lines.map((parts) => parts.join(' ')).join('\n');
}

/** Finds pointers in documents and comments that lead nowhere; pure functions over text. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const sourceFile = /\.(?:ts|tsx|mjs|yaml)$/;

/** @returns every file under the folders whose name matches, as paths from the repository root */
export const filesUnder = (folders: readonly string[], isMeant = sourceFile): string[] =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')))
      .filter((file) => isMeant.test(file) && !file.includes('.gen.')),
  );

/** @returns a source's pointers to a page and heading ('Rule: docs/…, Adding') that lead nowhere */
export function brokenPointers(source: string): string[] {
  if (!source.includes('docs/')) return [];
  const text = source.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/|#)?\s*/g, ' '); // joins a comment's lines
  return [...text.matchAll(/(Rule: )?\b(docs\/[\w/-]+\.md)(?:, (?=[A-Z]))?/g)].flatMap((found) => {
    const [whole, rule, page = ''] = found;
    const behind = text.slice(found.index + whole.length);
    const isThere =
      existsSync(page) && (whole.endsWith(', ') ? isHeading(page, behind) : !rule || !page.startsWith('docs/rules/'));
    return isThere ? [] : [`${page}, ${behind.slice(0, 40)}`];
  });
}

const isHeading = (page: string, text: string) =>
  headingsOf(page).some((heading) => text.startsWith(heading) && !/^[\w’'-]|^ [a-z]/.test(text.slice(heading.length)));

/** @returns a page's links that lead to no file, or to no heading of the file */
export function brokenLinks(page: string, text: string): string[] {
  const targets = [...withoutCode(text).matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    if (/^(?:https?|mailto):/.test(target)) return false;
    const [file = '', anchor] = target.split('#');
    const to = file ? path.posix.join(path.posix.dirname(page), file) : page;
    if (!existsSync(to)) return true;
    return anchor !== undefined && !headingsOf(to).map(anchorOf).includes(anchor);
  });
}

/**
 * @returns paths and bare source names that a page has in backticks and that do not exist; those with a … or a <name>
 * are patterns
 */
export const missingPaths = (text: string): string[] => [
  ...named(text, /`((?:src|sw|tests|openapi|docs|public)\/[\w/.-]+)`/g).filter((file) => !existsSync(file)),
  ...named(text, /`([\w.]+\.(?:tsx?|mjs|yaml))`/g).filter((file) => !existsSync(file) && !sourceNames().has(file)),
];

const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, file = '']) => file);

let names: ReadonlySet<string> | undefined;
const sourceNames = () =>
  (names ??= new Set(filesUnder(['src', 'sw', 'tests', 'openapi', 'docs']).map((file) => path.basename(file))));

const papers = [
  /\b(?:decisions?|specification|beyond|reliability|design)[ ,]*(?:§|[A-I]\d)/i,
  /\bthe specification\b|\bSource: (?:decisions|specification|beyond|reliability|design)\b/i,
  /(?<!\bRFC \d{3,5},? )§/,
  /(?:test|describe)\S*\((['"`])[A-I]\d{1,2}\b.*?: /, // the number of a case before a test's title
];

/** @returns lines that refer to a paper outside the repository: its name and section, or a case number */
export const paperReferences = (text: string): string[] =>
  text.split('\n').filter((line) => papers.some((paper) => paper.test(line)));

const headings = new Map<string, string[]>();

function headingsOf(page: string): string[] {
  const known = headings.get(page);
  if (known) return known;
  const found = [...withoutCode(readFileSync(page, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text.trim(),
  );
  headings.set(page, found);
  return found;
}

const withoutCode = (text: string) => text.replaceAll(/^```[^]*?^```/gm, '');

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** @returns rows of a page's tables of cases that name no proof, or a file or title that does not exist */
export function missingProofs(page: string): string[] {
  const cases = page.split('\n').filter((line) => /^\| (?!-|case )(?:.+ \| ){3}/.test(line));
  return cases.flatMap((line) => {
    const [, name = '', , , cell = ''] = line.split('|').map((text) => text.trim());
    const wrong = cell.split('<br>').filter((proof) => {
      const [, file = '', words = ''] = /^`(tests\/[\w/.-]+)` (.+)$/.exec(proof) ?? [];
      return !existsSync(file) || !isSaidIn(file, words);
    });
    return wrong.map((proof) => `${name}: ${proof}`);
  });
}

/** A script has no test titles; its comment describes it. */
function isSaidIn(file: string, words: string): boolean {
  const text = readFileSync(file, 'utf8');
  if (!/\.(?:test|spec)\.ts$/.test(file)) return text.includes(words);
  return titlesOf(text).some((title) => title.includes(words));
}

/** The first string of every call: a test's title, also behind `test.each(…)`. */
const titlesOf = (text: string) =>
  [...text.matchAll(/\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g)].map(([, , title = '']) =>
    title.replaceAll(/\\(.)/g, '$1'),
  );

/** @returns the rows of a page's tables that begin with a call's name, each as its cells */
export const rowsOfCalls = (text: string): string[][] =>
  [...text.matchAll(/^\| `(\w+)` +\| (.+) \|$/gm)].map(([, id = '', cells = '']) => [
    id,
    ...cells.split(' | ').map((cell) => cell.trim()),
  ]);

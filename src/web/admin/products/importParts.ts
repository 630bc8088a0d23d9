/**
 * Splits a CSV file of products into parts that fit one import call. Splitting is deterministic, down to the bytes of
 * each part, so that the server recognizes a part when the file is imported a second time.
 * Rule: docs/rules/catalog.md, CSV of products
 */
import { importMessages, staffLimits } from '../../../shared/catalogStaff';
import { productCsvColumns } from '../../../shared/productFields';
import { CsvError, type CsvLine, delimiterOf, isSameRecord, placesOf, separatorLine } from '../../../shared/csvText';

/** A row: its first line in the whole file, its number there as a spreadsheet counts, and its line in the part. */
export interface PartRow {
  line: number;
  place: number;
  lineInPart: number;
}

export interface ImportPart {
  file: File;
  rows: PartRow[];
}

/**
 * A file that fits one call is sent unchanged.
 * @throws CsvError with a message for the user, before anything is sent
 */
export async function readParts(file: File): Promise<ImportPart[]> {
  if (file.size > staffLimits.wholeCsvBytes) throw new CsvError(importMessages.wholeTooLarge);
  const [header, ...lines] = readLines(decode(await file.arrayBuffer()));
  const rows = lines.filter(({ record }) => !isSameRecord(record, header?.record)); // concatenated files repeat the header
  if (!header || rows.length === 0) throw new CsvError(importMessages.noRows);
  placesOf(header, productCsvColumns);
  const isOne = rows.length <= staffLimits.csvRows && file.size <= staffLimits.csvBytes;
  if (isOne) return [{ file, rows: rows.map(({ line, place }) => ({ line, place, lineInPart: line })) }];
  return cut(header, rows, file.name);
}

function cut(header: CsvLine, rows: readonly CsvLine[], name: string): ImportPart[] {
  const first = toCsvLine(header);
  const parts: { texts: string[]; bytes: number; lines: number; rows: PartRow[] }[] = [];
  for (const row of rows) {
    const text = toCsvLine(row);
    const bytes = new TextEncoder().encode(text).length;
    let part = parts.at(-1);
    if (!part || part.rows.length === staffLimits.csvRows || part.bytes + bytes > staffLimits.csvBytes) {
      part = { texts: [first], bytes: new TextEncoder().encode(first).length, lines: linesIn(first), rows: [] };
      parts.push(part);
    }
    part.rows.push({ line: row.line, place: row.place, lineInPart: part.lines + 1 });
    part.texts.push(text);
    part.bytes += bytes;
    part.lines += linesIn(text);
  }
  return parts.map((part) => ({ file: new File(part.texts, name, { type: 'text/csv' }), rows: part.rows }));
}

const toCsvLine = ({ record }: CsvLine) => `${record.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`;
const linesIn = (text: string) => text.split('\n').length - 1;

function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  try {
    return new TextDecoder(first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CsvError(importMessages.notText);
  }
}

const longestRecord = 100_000;

/** @returns the lines that are not blank */
function readLines(content: string): CsvLine[] {
  const text = content.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  const [separatorText = '', separator] = separatorLine.exec(text) ?? [];
  const rest = text.slice(separatorText.length);
  const delimiter = separator ?? delimiterOf(text);
  const cell = cellAfter(delimiter);
  const lines: CsvLine[] = [];
  let line = separatorText ? 2 : 1;
  let place = 0;
  let at = 0;
  while (at < rest.length) {
    const from = at;
    const record: string[] = [];
    let isEnd = false;
    while (!isEnd) {
      const found = cell(rest, at);
      if (!found || found.end - from > longestRecord) throw new CsvError(importMessages.notCsvAt(line));
      record.push(found.text);
      isEnd = rest[found.end] !== delimiter;
      at = found.end + 1;
    }
    place += 1;
    if (record.some((each) => each.trim() !== '')) lines.push({ record, line, place });
    line += linesIn(rest.slice(from, at));
  }
  return lines;
}

/**
 * @returns a function that reads the cell at an offset, up to its separator or line end; undefined if it is malformed
 */
function cellAfter(delimiter: string) {
  const quoted = /"([^"]*(?:""[^"]*)*)"/y;
  const plain = delimiter === ';' ? /[^"\n;]*/y : delimiter === '\t' ? /[^"\n\t]*/y : /[^"\n,]*/y;
  const isOver = (text: string, end: number) => end >= text.length || text[end] === delimiter || text[end] === '\n';
  return (text: string, at: number): { text: string; end: number } | undefined => {
    const isQuoted = text[at] === '"';
    const pattern = isQuoted ? quoted : plain;
    pattern.lastIndex = at;
    const [all, inner] = pattern.exec(text) ?? [];
    if (all === undefined || !isOver(text, at + all.length)) return undefined;
    return { text: isQuoted ? (inner ?? '').replaceAll('""', '"') : all, end: at + all.length };
  };
}

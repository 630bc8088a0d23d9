/**
 * Reads an uploaded product file record by record, in any usual encoding. The whole text is never in memory: a part is
 * decoded and parsed at a time, and other requests get their turn in between.
 */
import { isUtf8 } from 'node:buffer';
import { setImmediate as turn } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { importMessages } from '../../shared/catalogStaff';
import { type CsvLine, delimiterOf, isSameRecord, separatorLine } from '../http/csv/csvText';
import { importErrors, importLimits, importLimitsOf } from '../../shared/imports';
import { linesIn } from '../http/csv/csvFile';
import { invalid, Problem } from '../http/core/problems';

export type ProductFile = {
  /** The names of the columns, as in the file. */
  header: readonly string[];
  /** The records below the header, without empty ones. It may be called again, which reads the file again. */
  lines: () => AsyncGenerator<CsvLine>;
};

/** @throws Problem 400 invalid_csv, 413 payload_too_large */
export async function openProductFile(file: unknown): Promise<ProductFile> {
  if (!Buffer.isBuffer(file) || file.length === 0) throw invalidCsv(importMessages.noRows);
  if (file.length > importLimits.own.fileBytes) throw tooLarge(importLimits.own.fileBytes);
  const encoding = encodingOf(file);
  for await (const { record } of readLines(file, encoding)) {
    const header = withoutEnd(record);
    const most = importLimitsOf(header);
    if (file.length > most.fileBytes) throw tooLarge(most.fileBytes);
    return { header, lines: () => readRows(file, encoding, record, most.rows) };
  }
  throw invalidCsv(importMessages.noRows);
}

const tooLarge = (most: number) => new Problem(413, 'payload_too_large', importErrors.tooLarge(most));

export const invalidCsv = (message: string) => invalid(message, [{ field: 'file', message }], 'invalid_csv');

/** Spreadsheets leave empty columns at the end. */
const withoutEnd = (header: readonly string[]) =>
  header.slice(0, header.findLastIndex((name) => name.trim() !== '') + 1);

/** The records below the header. Joined files repeat it. */
async function* readRows(
  file: Buffer,
  encoding: string,
  header: readonly string[],
  most: number,
): AsyncGenerator<CsvLine> {
  let rows = 0;
  for await (const line of readLines(file, encoding)) {
    if (isSameRecord(line.record, header)) continue;
    rows += 1;
    if (rows > most) throw invalidCsv(importErrors.tooManyRows(most));
    yield line;
  }
}

const zipMark = [0x50, 0x4b, 0x03, 0x04];

/** @throws Problem 400 invalid_csv when it is no text, such as an Excel workbook */
function encodingOf(file: Buffer): string {
  const [first, second] = file;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (zipMark.every((byte, at) => file[at] === byte)) throw invalidCsv(importErrors.unreadable);
  if (!file.includes(0)) return isUtf8(file) ? 'utf-8' : 'windows-1252';
  if (file[1] === 0 && file[0] !== 0) return 'utf-16le';
  if (file[0] === 0 && file[1] !== 0) return 'utf-16be';
  if (isUtf8(file)) return 'utf-8';
  throw invalidCsv(importErrors.unreadable);
}

const chunkBytes = 16 * 1024;

/** The text with LF line ends, without its byte order mark. */
function* decode(file: Buffer, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding);
  let held = '';
  for (let at = 0; at < file.length; at += chunkBytes) {
    const isLast = at + chunkBytes >= file.length;
    const text = held + decoder.decode(file.subarray(at, at + chunkBytes), { stream: !isLast });
    held = !isLast && text.endsWith('\r') ? '\r' : ''; // its LF may follow in the next part
    // the database accepts no NUL character
    yield text
      .slice(0, text.length - held.length)
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll('\0', '\ufffd');
  }
}

const mostCharacters = 200_000; // of a record

/** @throws Problem 400 invalid_csv */
async function* readLines(file: Buffer, encoding: string): AsyncGenerator<CsvLine> {
  const found: CsvLine[] = [];
  let parser: ReturnType<typeof parse> | undefined;
  let skipped = 0;
  for (const part of decode(file, encoding)) {
    let text = part;
    if (!parser) {
      const [named = '', separator] = separatorLine.exec(text) ?? [];
      if (named) skipped = 1;
      text = text.slice(named.length);
      parser = openParser(separator ?? delimiterOf(text), skipped, found);
    }
    await send(parser, text, skipped);
    yield* found.splice(0);
    await turn();
  }
  if (parser) await send(parser, undefined, skipped);
  yield* found.splice(0);
}

function openParser(delimiter: string, skipped: number, found: CsvLine[]): ReturnType<typeof parse> {
  let place = 0;
  const parser = parse({
    delimiter,
    record_delimiter: '\n',
    relax_column_count: true,
    max_record_size: mostCharacters,
    on_record: (record: string[], { lines }) => {
      place += 1;
      const line = lines - linesIn(record) + skipped;
      if (record.some((cell) => cell.trim() !== '')) found.push({ record, line, place });
      return null; // so that the parser does not store it too
    },
  });
  parser.on('error', () => undefined); // send() throws it
  return parser.resume();
}

/** @param text undefined: the end */
async function send(parser: ReturnType<typeof parse>, text: string | undefined, skipped: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      const done = (error?: Error | null) => (error ? reject(error) : resolve());
      if (text !== undefined) parser.write(text, done);
      else parser.once('error', reject).end(() => resolve());
    });
  } catch (error) {
    const line = (error as { lines?: number }).lines;
    throw invalidCsv(line === undefined ? importMessages.notCsv : importMessages.notCsvAt(line + skipped));
  }
}

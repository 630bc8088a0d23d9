/** Sales tax rates as a CSV file, for the export and the import. */
import { parseRate, taxMessages as messages } from '../../shared/tax';
import { fromRatePpm } from '../../shared/total';
import { findStateCode, type ShopTerritories, stateName, statesOf } from '../../shared/usStates';
import type { Column } from '../http/csv/csvDownload';
import { readCsvFile, type CsvRow } from '../http/csv/csvFile';
import { conflict, type FieldError } from '../http/core/problems';
import type { TaxRateRow } from './repository';

/** `taxesDelivery` undefined keeps the current value, false for a new rate. */
type Rate = { rate: number; taxesDelivery: boolean | undefined };
/** The rate that a state should get; null removes it. */
export type WantedRate = { state: string; rate: Rate | null };

/** Each state of the shop, with its rate if it has one. */
export type RateLine = { id: string; name: string; rate: TaxRateRow | undefined };

export const rateLines = (rows: readonly TaxRateRow[], shop: ShopTerritories): RateLine[] =>
  ratedStates(
    shop,
    rows.map(({ state }) => state),
  ).map((code) => ({ id: code, name: stateName(code), rate: rows.find(({ state }) => state === code) }));

export const rateColumns: readonly Column<RateLine>[] = [
  { header: 'state', cell: ({ id }) => id },
  { header: 'name', cell: ({ name }) => name },
  { header: 'rate', cell: ({ rate }) => rate && fromRatePpm(rate.ratePpm) },
  { header: 'taxesDelivery', cell: ({ rate }) => rate?.taxesDelivery },
];

/** The shop's states that a rate can be set for. A territory with a rate stays among them. */
export const ratedStates = (shop: ShopTerritories, withRate: Iterable<string>) => statesOf(shop, [...withRate]);

/**
 * @param withRate the states that have a rate
 * @throws Problem 400 invalid_csv, 409 import_refused, 413 payload_too_large
 */
export function readRateCsv(file: unknown, shop: ShopTerritories, withRate: Iterable<string>): WantedRate[] {
  const codes = new Set(ratedStates(shop, withRate));
  const rows = readCsvFile(
    file,
    rateColumns.map(({ header }) => header),
    { needed: ['state', 'rate'] }, // without the rate column, each row would remove a rate
  );
  const fieldErrors: FieldError[] = [];
  const seen = new Set<string>();
  const wanted = rows.map((row): WantedRate => {
    const addError = (field: string, message: string) => fieldErrors.push({ field: `${row.line}.${field}`, message });
    const state = findStateCode(cellOf(row, 'state'));
    if (state === undefined || !codes.has(state)) addError('state', messages.noState(shop));
    else if (seen.has(state)) addError('state', messages.twice);
    seen.add(state ?? '');
    const cell = cellOf(row, 'rate').trim();
    const text = cell.endsWith('%') ? cell.slice(0, -1).trimEnd() : cell;
    const rate = parseRate(text);
    if (text !== '' && rate === undefined) addError('rate', messages.rate);
    const taxesDelivery = yesOrNo[cellOf(row, 'taxesDelivery').toLowerCase()];
    const hasColumn = row.cells.has('taxesDelivery');
    if (hasColumn && taxesDelivery === undefined) addError('taxesDelivery', messages.yesOrNo);
    return {
      state: state ?? '',
      rate: rate === undefined ? null : { rate, taxesDelivery: hasColumn ? taxesDelivery : undefined },
    };
  });
  if (fieldErrors.length > 0) throw conflict('import_refused', messages.importRefused, fieldErrors.slice(0, 200));
  return wanted;
}

/** The spellings of this shop's export and of spreadsheets. */
const yesOrNo: Readonly<Record<string, boolean | undefined>> = {
  true: true,
  false: false,
  yes: true,
  no: false,
  '': false,
};

const cellOf = ({ cells }: CsvRow, name: string) => (cells.get(name) ?? '').trim();

import { useQueryClient } from '@tanstack/react-query';
import type { Schema } from '../../../shared/contract';
import { taxMessages as messages } from '../../../shared/tax';
import { toast } from '../../ui/toast';
import { answer, api } from '../../server/client';
import { keyOfPart } from '../keyOfPart';
import { multipart, readCsv, staffListQuery, staffQuery, useStaffChange } from '../staffCalls';

export type TaxRate = Schema<'TaxRate'>;
export type Collected = Schema<'TaxCollected'>;
export interface Days {
  from: string;
  to: string;
}

/** All rates; there is at most one per state or territory. */
export const ratesQuery = () =>
  staffQuery(
    ['tax', 'rates'],
    async (signal) =>
      (await answer(api.GET('/admin/tax-rates', { params: { query: { size: 100 } }, signal }))).taxRates.content,
  );

export const exportRates = (): Promise<string> => readCsv(api.GET('/admin/tax-rates/export', { parseAs: 'text' }));

export const collectedQuery = (days: Days) =>
  staffListQuery(
    ['tax', 'collected', days],
    async (signal) =>
      (await answer(api.GET('/admin/tax-rates/collected', { params: { query: { ...days } }, signal }))).collected,
  );

export const exportCollected = (days: Days): Promise<string> =>
  readCsv(api.GET('/admin/tax-rates/collected/export', { params: { query: { ...days } }, parseAs: 'text' }));

/** The state's new rate; null: collects nothing. */
export interface Wanted {
  state: string;
  rate: Schema<'TaxRateForm'> | null;
}

/** Identifies the state's part of the change when keys are derived from the change's idempotency key. */
const partOf = (state: string) => `00000000-0000-4000-8000-00000000${hex(state)}`;
const hex = (text: string) =>
  Array.from(text, (letter) => letter.charCodeAt(0).toString(16))
    .join('')
    .padStart(4, '0');

const withRates = (rates: readonly TaxRate[], wanted: readonly Wanted[]): TaxRate[] =>
  [
    ...rates.filter(({ state }) => !wanted.some((each) => each.state === state)),
    ...wanted.flatMap(({ state, rate }) => (rate ? [{ state, ...rate }] : [])),
  ].toSorted((one, other) => one.state.localeCompare(other.state));

/**
 * Saves the rates one after the other. After a failure the earlier ones are saved, the others still unsaved.
 * @param onSaved called when all are saved, before all that shows them is read again
 */
export function useSaveRates<Row>(wantedOf: (row: Row) => Wanted, onSaved: (rows: readonly Row[]) => void) {
  const cache = useQueryClient();
  return useStaffChange({
    send: async (rows: readonly Row[], keyed) => {
      for (const { state, rate } of rows.map(wantedOf)) {
        const params = { path: { state }, ...keyOfPart(keyed, partOf(state)) };
        if (rate) await answer(api.PUT('/admin/tax-rates/{state}', { params, body: rate }));
        else await answer(api.DELETE('/admin/tax-rates/{state}', { params }));
      }
      return rows.length;
    },
    onSuccess: (count, rows) => {
      cache.setQueryData(ratesQuery().queryKey, (rates = []) => withRates(rates, rows.map(wantedOf)));
      onSaved(rows);
      toast.success(messages.saved(count));
    },
    meta: { failure: messages.setTaxRate.failure },
  });
}

export function useImportRates() {
  return useStaffChange({
    send: (file: File, { header }) =>
      answer(
        api.POST('/admin/tax-rates/import', {
          params: { header },
          ...multipart<Schema<'TaxRateImport'>>({ file }),
        }),
      ),
    onSuccess: ({ changed }) => toast.success(messages.saved(changed)),
    meta: { failure: messages.importTaxRates.failure, shownOnPage: ['import_refused'] },
  });
}

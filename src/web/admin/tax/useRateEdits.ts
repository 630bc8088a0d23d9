import { useState } from 'react';
import { inWords } from '../../../shared/delivery';
import { parseRate } from '../../../shared/tax';
import { statesOf, stateName } from '../../../shared/usStates';
import { useShopFacts } from '../../ui/shopFacts';
import { findSavedChanges, useSavedChanges } from '../useStaffDraft';
import type { TaxRate, Wanted } from './queries';

/** A state's row: the text of its field, and the saved rate. */
export interface RateRow {
  state: string;
  name: string;
  text: string;
  taxesDelivery: boolean;
  saved: TaxRate | undefined;
}
type Edit = Pick<RateRow, 'text' | 'taxesDelivery'>;

const draftName = 'tax-rates';

/** The unsaved changes, beside the saved rates. */
export function useRateEdits(rates: readonly TaxRate[]) {
  const [edits, setEdits] = useState<Readonly<Record<string, Edit>>>(
    () => Object.fromEntries(findSavedChanges(draftName)) as Record<string, Edit>,
  );
  const states = statesOf(
    useShopFacts(),
    rates.map(({ state }) => state),
  );
  const rows = states.map((code): RateRow => {
    const saved = rates.find(({ state }) => state === code);
    const kept = { text: saved ? String(saved.rate) : '', taxesDelivery: saved?.taxesDelivery ?? false };
    return { state: code, name: stateName(code), saved, ...(edits[code] ?? kept) };
  });
  const ordered = rows.toSorted((one, other) => Number(!one.saved) - Number(!other.saved));
  const changed = rows.filter(isChanged);
  useSavedChanges(draftName, () => changed.map(({ state, text, taxesDelivery }) => [state, { text, taxesDelivery }]));
  const edit = ({ state, text, taxesDelivery }: RateRow, change: Partial<Edit>) =>
    setEdits((before) => ({ ...before, [state]: { text, taxesDelivery, ...change } }));
  /** Removes changes that were saved as they are; what was typed since stays unsaved. */
  const settle = (sent: readonly RateRow[]) =>
    setEdits((before) =>
      Object.fromEntries(
        Object.entries(before).filter(
          ([code, { text, taxesDelivery }]) =>
            !sent.some((row) => row.state === code && row.text === text && row.taxesDelivery === taxesDelivery),
        ),
      ),
    );
  return { rows: ordered, changed, edit, undo: () => setEdits({}), settle };
}

const isEmpty = ({ text }: RateRow) => text.trim() === '';

/** Whether the field has text that is not a rate. */
export const isWrong = (row: RateRow): boolean => !isEmpty(row) && parseRate(row.text) === undefined;

export const hasRate = (row: RateRow): boolean => parseRate(row.text) !== undefined;

export function isChanged(row: RateRow): boolean {
  const { saved, text, taxesDelivery } = row;
  if (isWrong(row)) return true;
  if (isEmpty(row)) return saved !== undefined;
  return parseRate(text) !== saved?.rate || taxesDelivery !== saved?.taxesDelivery;
}

export function wantedOf(row: RateRow): Wanted {
  const rate = parseRate(row.text);
  return { state: row.state, rate: rate === undefined ? null : { rate, taxesDelivery: row.taxesDelivery } };
}

/** @returns '1 change: Ohio 5.5% to 5.75%', '3 changes: Georgia, Maryland and Ohio' */
export function changesInWords(changed: readonly RateRow[]): string {
  const [only, ...others] = changed;
  if (!only) return '';
  if (others.length > 0) return `${changed.length} changes: ${inWords(changed.map(({ state }) => stateName(state)))}`;
  return `1 change: ${only.name} ${changeInWords(only)}`;
}

function changeInWords(row: RateRow): string {
  const { saved } = row;
  const rate = parseRate(row.text);
  if (rate === undefined) return saved ? `${saved.rate}% to none` : row.text;
  if (rate !== saved?.rate) return `${saved ? `${saved.rate}%` : 'none'} to ${rate}%`;
  return row.taxesDelivery ? 'with delivery' : 'without delivery';
}

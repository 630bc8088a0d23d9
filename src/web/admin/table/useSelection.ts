import type { RowSelectionState, Updater } from '@tanstack/react-table';
import { useEffect, useState } from 'react';
import { type TableSearch, useHistoryKey } from './tableSearch';

/** What was selected at each entry of the tab's history, as long as the tab lives. */
const kept = new Map<string, RowSelectionState>();

/**
 * The selected rows by their ids. They stay while pages are turned, go when other rows are asked for, and are back when
 * Back leads to them.
 */
export function useSelection({ q, filters }: TableSearch) {
  const key = useHistoryKey();
  const scope = JSON.stringify([q, filters]);
  const [state, setState] = useState(() => ({ key, scope, selection: kept.get(key) ?? {} }));
  if (state.key !== key || state.scope !== scope) {
    const before = state.key === key ? undefined : kept.get(key);
    setState({ key, scope, selection: before ?? (state.scope === scope ? state.selection : {}) });
  }
  useEffect(() => void kept.set(state.key, state.selection), [state]);
  const select = (next: Updater<RowSelectionState>) =>
    setState((before) => ({
      ...before,
      selection: typeof next === 'function' ? next(before.selection) : next,
    }));
  return [state.selection, select] as const;
}

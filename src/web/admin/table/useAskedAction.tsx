import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import type { BulkAction } from './BulkBar';

interface Question {
  label: string;
  maxRows: number;
  /** What is counted: 'product', 'products'. */
  names: readonly [one: string, several: string];
  text: string;
  act: BulkAction['act'];
}

/** An action that asks for confirmation. @returns the action, and the dialog to render with the list */
export function useConfirmedAction({ label, maxRows, names, text, act }: Question): [BulkAction, question: ReactNode] {
  const [pending, setPending] = useState<{ ids: string[]; onSuccess: () => void }>();
  const action = {
    label,
    maxRows,
    isDangerous: true,
    act: (ids: string[], onSuccess: () => void) => setPending({ ids, onSuccess }),
  };
  const question = pending && (
    <ConfirmDialog
      title={`${label} ${pending.ids.length} ${names[pending.ids.length === 1 ? 0 : 1]}?`}
      text={text}
      action={label}
      onConfirm={() => act(pending.ids, pending.onSuccess)}
      onClose={() => setPending(undefined)}
    />
  );
  return [action, question];
}

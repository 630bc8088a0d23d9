import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import type { BulkAction } from './BulkBar';

interface Question {
  label: string;
  most: number;
  /** What is counted: 'product', 'products'. */
  names: readonly [one: string, several: string];
  text: string;
  act: BulkAction['act'];
}

/** An action that asks for confirmation. @returns the action, and the dialog to render with the list */
export function useAskedAction({ label, most, names, text, act }: Question): [BulkAction, question: ReactNode] {
  const [asked, setAsked] = useState<{ ids: string[]; onSuccess: () => void }>();
  const action = {
    label,
    most,
    isDangerous: true,
    act: (ids: string[], onSuccess: () => void) => setAsked({ ids, onSuccess }),
  };
  const question = asked && (
    <ConfirmDialog
      title={`${label} ${asked.ids.length} ${names[asked.ids.length === 1 ? 0 : 1]}?`}
      text={text}
      action={label}
      onConfirm={() => act(asked.ids, asked.onSuccess)}
      onClose={() => setAsked(undefined)}
    />
  );
  return [action, question];
}

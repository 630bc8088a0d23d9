import { listPageMessages } from '../../../shared/listPages';
import type { MenuButtonProps } from '../../ui/deferMenu';
import { NavMenu } from '../../ui/NavMenu';

export interface RowMenuProps extends MenuButtonProps {
  name: string;
  /** Puts the product elsewhere on the shelf; undefined unless the rows are in shelf order. */
  move: ((to: 'top' | 'up' | 'down') => void) | undefined;
  onRemove: () => void;
}

/** The actions on one product of a list, for everybody who does not drag. */
export function RowMenu({ name, move, onRemove, ...button }: RowMenuProps) {
  const moves = move && [
    { label: listPageMessages.moveToTop, icon: 'first', onSelect: () => move('top') } as const,
    { label: listPageMessages.moveUp, icon: 'up', onSelect: () => move('up') } as const,
    { label: listPageMessages.moveDown, icon: 'down', isApart: true, onSelect: () => move('down') } as const,
  ];
  const remove = { label: `Remove ${name}`, icon: 'trash', isDangerous: true, onSelect: onRemove } as const;
  return <NavMenu title={name} entries={[...(moves ?? []), remove]} {...button} />;
}

import { Menu } from '@chakra-ui/react/menu';
import { type ProductSort, sortLabels } from '../../../shared/catalog';
import type { MenuButtonProps } from '../../ui/deferMenu';
import { Icon } from '../../ui/Icon';
import { MenuFrame } from '../../ui/MenuFrame';
import frame from '../../ui/MenuFrame.module.css';
import type { ListSearch } from '../core/listSearch';
import styles from './SortMenu.module.css';
import { useShowList } from './useShowList';

interface Props extends MenuButtonProps {
  search: ListSearch;
}

const sorts = Object.keys(sortLabels) as ProductSort[];
const title = 'Sort by';

/** The orders of a list. */
export function SortMenu({ search, ...button }: Props) {
  const show = useShowList();
  const { sort: chosen = 'featured' } = search;
  const items = (
    <Menu.RadioItemGroup
      value={chosen}
      onValueChange={({ value }) => show({ sort: value as ProductSort })}
      aria-label={title}
      className={styles['group'] ?? ''}
    >
      {sorts.map((sort) => (
        <Menu.RadioItem key={sort} value={sort} className={`${frame['item']} ${styles['option']}`}>
          <span>{sortLabels[sort]}</span>
          {sort === chosen && <Icon name="check" size={18} />}
        </Menu.RadioItem>
      ))}
    </Menu.RadioItemGroup>
  );
  return <MenuFrame title={title} end="end" staysHere items={items} {...button} />;
}

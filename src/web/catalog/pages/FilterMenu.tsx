import { Menu } from '@chakra-ui/react/menu';
import type { MenuButtonProps } from '../../ui/deferMenu';
import { Icon } from '../../ui/Icon';
import { MenuFrame } from '../../ui/MenuFrame';
import frame from '../../ui/MenuFrame.module.css';
import styles from './FilterMenu.module.css';
import { HeatDots } from '../core/HeatDots';
import type { FilterName } from '../core/listSearch';

type Value = string | number;
interface Props extends MenuButtonProps {
  name: FilterName;
  label: string;
  options: readonly Value[];
  chosen: readonly Value[];
  onChoose: (value: Value, isOn: boolean) => void;
}

/** The values of one filter, each with a check mark; the menu stays open while several are chosen. */
export function FilterMenu({ name, label, options, chosen, onChoose, ...button }: Props) {
  const items = options.map((value) => {
    const isOn = chosen.includes(value);
    return (
      <Menu.CheckboxItem
        key={value}
        value={String(value)}
        checked={isOn}
        onCheckedChange={(on) => onChoose(value, on)}
        className={`${frame['item']} ${styles['option']}`}
      >
        <span className={`${styles['mark']} ${isOn ? styles['on'] : ''}`}>
          {isOn && <Icon name="check" size={15} />}
        </span>
        <Option name={name} value={value} />
      </Menu.CheckboxItem>
    );
  });
  return <MenuFrame title={label} end="end" closeOnSelect={false} items={items} {...button} />;
}

function Option({ name, value }: { name: FilterName; value: Value }) {
  if (name === 'heat') return <HeatDots level={Number(value)} />;
  return <span className="first-cap">{name === 'allergens' ? `No ${value}` : value}</span>;
}

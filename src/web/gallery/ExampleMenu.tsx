import type { MenuButtonProps } from '../ui/deferMenu';
import { NavMenu } from '../ui/NavMenu';

export const ExampleMenu = (button: MenuButtonProps) => (
  <NavMenu
    title="Menu"
    entries={[
      { label: 'Home', icon: 'home', to: '/' },
      { label: 'Contact', icon: 'mail', to: '/contact', isApart: true },
      { label: 'Remove', icon: 'trash', onSelect: () => undefined, isDangerous: true },
    ]}
    {...button}
  />
);

import { useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { listPageMessages } from '../../../shared/listPages';
import { useSession } from '../../server/session';
import { buttonClass } from '../../ui/Button';
import { deferMenu } from '../../ui/deferMenu';
import { LaterIcon } from '../../ui/LaterIcon';
import styles from './AddToList.module.css';
import type { AddToListMenuProps } from './AddToListMenu';

const Menu = deferMenu<AddToListMenuProps>(async () => (await import('./AddToListMenu')).AddToListMenu);

type Product = AddToListMenuProps['product'];

/** The button on the product page. */
export function AddToList({ product }: { product: Product }) {
  return (
    <Opener product={product} className={buttonClass({ size: 'lg', variant: 'outline' })}>
      <LaterIcon name="list" />
      {listPageMessages.addToList}
    </Opener>
  );
}

/** The button on a product card, at the left of the plus. */
export function CardMenu({ product }: { product: Product }) {
  return (
    <Opener product={product} className={styles['card']}>
      <LaterIcon name="dots" />
      <span className="sr-only">
        {listPageMessages.addToList}: {product.name}
      </span>
    </Opener>
  );
}

/** Lists need an account: sends visitors to the login and back. */
function Opener({
  product,
  className,
  children,
}: {
  product: Product;
  className: string | undefined;
  children: ReactNode;
}) {
  const user = useSession();
  const navigate = useNavigate();
  const redirect = useLocation({ select: ({ href }) => href });
  if (user) {
    return (
      <Menu userId={user.id} product={product} className={className}>
        {children}
      </Menu>
    );
  }
  return (
    <button type="button" className={className} onClick={() => void navigate({ to: '/login', search: { redirect } })}>
      {children}
    </button>
  );
}

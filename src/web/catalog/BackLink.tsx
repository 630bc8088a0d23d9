import { Link } from '@tanstack/react-router';
import { Icon } from '../ui/Icon';
import styles from './BackLink.module.css';

/** Source: specification §2, the product page's Back */
export function BackLink() {
  return (
    <Link to="/products/$category" params={{ category: 'spices' }} className={styles['back']}>
      <Icon name="left" /> Back
    </Link>
  );
}

import type { ComponentProps } from 'react';
import { TextField } from '../../ui/FormField';
import styles from './DollarsField.module.css';

/** A sum's field, which says of what before its number. */
export const DollarsField = (field: ComponentProps<typeof TextField>) => (
  <div className={styles['dollars']}>
    <TextField inputMode="decimal" autoComplete="off" ps="8" {...field} />
  </div>
);

import type { ComponentProps } from 'react';
import { TextField } from '../../ui/FormField';
import styles from './DollarsField.module.css';

/** A money field with a dollar sign before the number. */
export const DollarsField = (field: ComponentProps<typeof TextField>) => (
  <div className={styles['dollars']}>
    <TextField inputMode="decimal" autoComplete="off" {...field} />
  </div>
);

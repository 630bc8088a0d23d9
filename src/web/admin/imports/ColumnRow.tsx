import { useId } from 'react';
import {
  importFieldLabel,
  importFields,
  importPageMessages as messages,
  neededForNew,
} from '../../../shared/importsStaff';
import { Badge } from '../../ui/Badge';
import fields from '../../ui/FormField.module.css';
import { Icon } from '../../ui/Icon';
import styles from './imports.module.css';
import type { Import } from './queries';

interface Props {
  column: Import['columns'][number];
  /** Empty: the column is left out. */
  field: string;
  /** Another column has the same field. */
  isTwice: boolean;
  onChoose: (field: string) => void;
}

/** A column of the file, with its first value and a menu of the fields it may fill. */
export function ColumnRow({ column: { name, sample, field: former }, field, isTwice, onChoose }: Props) {
  const errorId = useId();
  // a part of another shop's export, such as the values of an option
  const isOther = former !== null && !importFields.some((each) => each.name === former);
  return (
    <tr className={isTwice ? styles['wrong'] : undefined}>
      <th scope="row">{name}</th>
      <td className={styles['sample']}>{sample || '–'}</td>
      <td className={styles['choice']}>
        <div className={`${fields['select']} ${styles['select']}`}>
          <select
            className={fields['control']}
            aria-label={`What ${name} is`}
            aria-invalid={isTwice || undefined}
            aria-describedby={isTwice ? errorId : undefined}
            value={field}
            onChange={({ currentTarget }) => onChoose(currentTarget.value)}
          >
            <option value="">Don't import</option>
            {isOther && <option value={former}>{importFieldLabel(former)}</option>}
            {importFields.map((each) => (
              <option key={each.name} value={each.name}>
                {each.label}
                {neededForNew.includes(each.name) && ' (required)'}
              </option>
            ))}
          </select>
          <Icon name="chevronDown" size={16} />
        </div>
        {isTwice && (
          <span id={errorId} className={styles['error']} aria-live="polite">
            {messages.twice(importFieldLabel(field))}
          </span>
        )}
      </td>
      <td className={styles['badge']}>
        {isTwice ? (
          <Badge tone="warn">Choose</Badge>
        ) : field === '' ? (
          <Badge tone="neutral" hollow>
            Left out
          </Badge>
        ) : (
          <Badge tone="success">Matched</Badge>
        )}
      </td>
    </tr>
  );
}

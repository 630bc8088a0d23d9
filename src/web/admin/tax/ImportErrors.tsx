import { taxMessages as messages } from '../../../shared/tax';
import type { ApiError } from '../../server/errors';
import { Badge } from '../../ui/Badge';
import { Modal, ModalActions } from '../../ui/Modal';
import styles from './ImportErrors.module.css';

interface Props {
  /** Each `field` is the line and column: '3.rate'. */
  mistakes: ApiError['errors'];
  onClose: () => void;
}

/** Why a file of rates was rejected, row by row. */
export function ImportErrors({ mistakes, onClose }: Props) {
  const placed = mistakes.map(({ field, message }) => {
    const [line = '', column = ''] = field.split('.');
    return { line, column, message };
  });
  const lines = [...new Set(placed.map(({ line }) => line))];
  return (
    <Modal title="Import CSV" onClose={onClose}>
      <p className={styles['text']}>{messages.importRefused}</p>
      <ol className={styles['rows']} tabIndex={-1}>
        {lines.map((line) => (
          <li key={line}>
            <p>
              <span className="tabular">Line {line}</span>
              <Badge tone="error">Error</Badge>
            </p>
            <ul>
              {placed
                .filter((mistake) => mistake.line === line)
                .map(({ column, message }) => (
                  <li key={`${column} ${message}`} className={styles['mistake']}>
                    {column}: {message}
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ol>
      <ModalActions onClose={onClose} closeText="Close" />
    </Modal>
  );
}

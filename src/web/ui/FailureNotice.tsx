import { Button } from './Button';
import styles from './FailureNotice.module.css';
import { Icon } from './Icon';

/** One line where the content would be, with a way to try again. */
export function FailureNotice({ sentence, onRetry }: { sentence: string; onRetry?: () => unknown }) {
  return (
    <div className={styles['notice']} role="alert">
      <Icon name="alert" />
      <span>{sentence}</span>
      {onRetry && (
        <Button size="sm" variant="outline" onClick={() => void onRetry()}>
          Try again
        </Button>
      )}
    </div>
  );
}

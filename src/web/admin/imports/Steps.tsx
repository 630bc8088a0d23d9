import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../../ui/Icon';
import styles from './Steps.module.css';

/** The heading that gets the focus when a step begins. */
export const stepHeadingId = 'import-step';

const labels = ['Upload', 'Match columns', 'Review', 'Done'] as const;

interface Props {
  now: (typeof labels)[number];
  /** The import whose earlier steps can be opened again. */
  id?: string;
  /** All steps are behind: nothing is in progress. */
  isOver?: boolean;
}

/** The steps of the page. Those that are done are links back, where going back is possible; later ones never are. */
export function Steps({ now, id, isOver = false }: Props) {
  const current = labels.indexOf(now);
  const backTo: Partial<Record<string, { import?: string; step?: string }>> = {
    Upload: {},
    ...(id !== undefined && { 'Match columns': { import: id, step: 'columns' } }),
  };
  return (
    <ol className={styles['steps']} aria-label="Steps">
      {labels.map((label, index) => {
        const isDone = index < current || (isOver && index === current);
        return (
          <li
            key={label}
            className={`${isDone ? styles['done'] : ''} ${index === current ? styles['now'] : ''}`}
            aria-current={index === current ? 'step' : undefined}
          >
            <Words back={index < current ? backTo[label] : undefined}>
              <i aria-hidden="true">{isDone ? <Icon name="check" size={16} /> : index + 1}</i>
              <b>
                {label} {isDone && <span className="sr-only">(done)</span>}
              </b>
            </Words>
          </li>
        );
      })}
    </ol>
  );
}

function Words({ back, children }: { back: { import?: string; step?: string } | undefined; children: ReactNode }) {
  if (!back) return <span>{children}</span>;
  return (
    <Link to="." search={back}>
      {children}
    </Link>
  );
}

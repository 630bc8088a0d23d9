import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { listPageMessages } from '../../../shared/listPages';
import { useWakeLock } from './wakeLock';
import { useIsOnline } from '../../server/reachability';
import { LaterIcon, type LaterIconName } from '../../ui/LaterIcon';
import styles from './KitchenFrame.module.css';

interface Props {
  listId: string;
  title: string;
  /** '7 of 40' */
  place: string;
  /** The part that is done, 0 to 1. */
  progress: number;
  /** Whether leaving this page would lose a count. */
  isUnsaved: boolean;
  /** Called before the page is left. */
  onClose: () => void;
  children: ReactNode;
  /** The two buttons at the bottom. */
  foot: ReactNode;
}

/** A full-screen layout for one task: no header, no tab bar, and no target under 56 px. */
export function KitchenFrame({ listId, title, place, progress, isUnsaved, onClose, children, foot }: Props) {
  const navigate = useNavigate();
  const close = () => {
    onClose();
    void navigate({ to: '/customer/lists/$listId', params: { listId } });
  };
  return (
    <div className={styles['frame']}>
      <header>
        <div className={styles['top']}>
          <button
            type="button"
            className={styles['close']}
            aria-label={isUnsaved ? 'Close' : 'Close. Everything you counted is saved.'}
            onClick={close}
          >
            <LaterIcon name="cross" size={26} />
          </button>
          <p className={styles['title']}>
            <b>{title}</b>
            <span className="tabular">{place}</span>
          </p>
          <Status isUnsaved={isUnsaved} />
        </div>
        <progress className={styles['progress']} aria-label="Counted" value={progress} max={1} />
      </header>
      <main className={styles['main']}>
        <div className={styles['body']}>{children}</div>
        <div className={styles['foot']}>{foot}</div>
      </main>
    </div>
  );
}

/** Shows that the connection is missing, or else whether the screen stays on. On a short screen it is only an icon. */
function Status({ isUnsaved }: Pick<Props, 'isUnsaved'>) {
  const isOn = useWakeLock();
  const isOnline = useIsOnline();
  if (!isOnline)
    return <Pill tone="warn" icon="cloudOff" text={isUnsaved ? listPageMessages.unsaved : listPageMessages.offline} />;
  return isOn ? (
    <Pill tone="ok" icon="sun" text={listPageMessages.screenStaysOn} />
  ) : (
    <Pill tone="neutral" icon="sun" text={listPageMessages.screenSleeps} />
  );
}

interface PillProps {
  tone: 'ok' | 'neutral' | 'warn';
  icon: LaterIconName;
  text: string;
}

function Pill({ tone, icon, text }: PillProps) {
  return (
    <output className={`${styles['pill']} ${styles[tone]}`} title={text}>
      <LaterIcon name={icon} size={16} />
      <span className={styles['text']}>{text}</span>
    </output>
  );
}

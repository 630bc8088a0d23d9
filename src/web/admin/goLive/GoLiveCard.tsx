import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { goLiveMessages as messages, goLiveSteps } from '../../../shared/goLive';
import { Icon } from '../../ui/Icon';
import card from '../ui/LinkCard.module.css';
import meter from '../ui/Meter.module.css';
import rows from '../ui/StateRow.module.css';
import styles from './GoLiveCard.module.css';
import { goLiveQuery } from './queries';

/** On top of Settings until all steps are done: how many are, and the next one. */
export function GoLiveCard() {
  const { data: steps } = useQuery({ ...goLiveQuery(), staleTime: 0 }); // a step may be done by a job, such as a backup
  const open = steps?.filter(({ state }) => state === 'open') ?? [];
  const [next] = open;
  if (!steps || !next) return null;
  const done = steps.length - open.length;
  return (
    <Link to="/admin/settings/$place" params={{ place: 'go-live' }} className={`${card['card']} ${styles['card']}`}>
      <span className={`${rows['mark']} ${rows['open']}`}>
        <Icon name="alert" />
      </span>
      <span>
        <b>{messages.title(done, steps.length)}</b> <small>{messages.next(goLiveSteps[next.step].title)}</small>
      </span>
      <progress className={meter['bar']} value={done} max={steps.length} aria-hidden="true" />
      <Icon name="right" />
    </Link>
  );
}

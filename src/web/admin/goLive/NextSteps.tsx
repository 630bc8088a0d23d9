import { useQuery } from '@tanstack/react-query';
import { goLiveMessages as messages } from '../../../shared/goLive';
import { ButtonLink } from '../../ui/ButtonLink';
import box from '../ui/box.module.css';
import { goLiveQuery } from './queries';
import { StepList } from './StepList';

/** On the dashboard; more would move the figures out of sight. */
const maxShown = 3;

/** The next steps before the first sale; renders nothing when all are done. Rule: docs/rules/back-office.md, Go live */
export function NextSteps() {
  const { data: steps } = useQuery({ ...goLiveQuery(), staleTime: 0 }); // a step may be done by a job, such as a backup
  const open = steps?.filter(({ state }) => state === 'open') ?? [];
  if (!steps || open.length === 0) return null;
  return (
    <section className={box['box']} aria-labelledby="go-live-heading">
      <header>
        <h2 id="go-live-heading">{messages.title(steps.length - open.length, steps.length)}</h2>
        <ButtonLink variant="outline" to="/admin/settings/$place" params={{ place: 'go-live' }}>
          All steps
        </ButtonLink>
      </header>
      <StepList steps={open.slice(0, maxShown)} />
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { goLiveMessages as messages } from '../../../shared/goLive';
import { Pending } from '../ui/AdminHead';
import box from '../ui/box.module.css';
import form from '../ui/form.module.css';
import { Meter } from '../ui/Meter';
import { goLiveQuery } from './queries';
import { StepList } from './StepList';

/** What must be true before the first sale, open steps first. Rule: docs/rules/back-office.md, Go live */
export function GoLive() {
  const query = useQuery({ ...goLiveQuery(), staleTime: 0 });
  const { data: steps } = query;
  const open = steps?.filter(({ state }) => state === 'open') ?? [];
  const done = steps?.filter(({ state }) => state === 'done') ?? [];
  return (
    <>
      {steps && (
        <>
          <section className={form['box']} aria-label="Progress">
            <Meter label={messages.done(done.length, steps.length)} done={done.length} of={steps.length} isLarge />
            <p className="muted">{open.length > 0 ? messages.intro : messages.allDone}</p>
          </section>
          <section className={box['box']} aria-labelledby="steps-heading">
            <h2 id="steps-heading" className="sr-only">
              Steps
            </h2>
            <StepList steps={[...open, ...done]} />
          </section>
        </>
      )}
      <Pending query={query} failure={messages.getGoLive.failure} what="the steps" className={form['waiting']} />
    </>
  );
}

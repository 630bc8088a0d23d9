import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type HealthCheck, healthMessages as messages, healthTitles, sellingChecks } from '../../../shared/health';
import { ActionButton } from '../../ui/ActionButton';
import { Badge } from '../../ui/Badge';
import { ButtonLink } from '../../ui/ButtonLink';
import { Icon } from '../../ui/Icon';
import { useShopTime } from '../../ui/shopTime';
import { AdminHead, Pending } from '../ui/AdminHead';
import { AdminIcon } from '../ui/AdminIcon';
import box from '../ui/box.module.css';
import form from '../ui/form.module.css';
import notice from '../ui/notice.module.css';
import { StateRow } from '../ui/StateRow';
import rows from '../ui/StateRow.module.css';
import { healthQuery } from './queries';

/** How often it is read again while it is open. */
const everyMs = 60_000;

/** Whether everything works, what needs attention first. Rule: docs/rules/back-office.md, Health */
export function AdminHealthPage() {
  const query = useQuery({ ...healthQuery(), staleTime: 0, refetchInterval: everyMs });
  const { data, refetch } = query;
  const [isAsked, setAsked] = useState(false);
  const checkAgain = () => {
    setAsked(true);
    void refetch().finally(() => setAsked(false));
  };
  const { shortTimeOf } = useShopTime();
  const health = data?.health ?? [];
  const wrong = health.filter(({ state }) => state === 'attention');
  return (
    <>
      <AdminHead title="Is everything all right?" pageTitle="Health">
        {data && <span className="muted">Checked {shortTimeOf(data.checkedAt)}</span>}
        <ActionButton variant="outline" isBusy={isAsked} onClick={checkAgain}>
          <AdminIcon name="sync" />
          Check again
        </ActionButton>
      </AdminHead>
      {data && (
        <>
          <Summary wrong={wrong} />
          <section className={box['box']} aria-labelledby="checks-heading">
            <h2 id="checks-heading" className="sr-only">
              Checks
            </h2>
            <ul className={`${rows['rows']} ${rows['wide']}`}>
              {[...wrong, ...health.filter(({ state }) => state === 'ok')].map((check) => (
                <Row key={check.check} check={check} />
              ))}
            </ul>
          </section>
        </>
      )}
      <Pending query={query} failure={messages.getHealthReport.failure} what="the checks" className={form['waiting']} />
    </>
  );
}

function Summary({ wrong }: { wrong: readonly HealthCheck[] }) {
  if (wrong.length === 0)
    return (
      <output className={`${notice['notice']} ${notice['right']}`}>
        <Icon name="check" />
        <b>{messages.allRight}</b>
      </output>
    );
  const sells = !wrong.some(({ check }) => sellingChecks.includes(check));
  return (
    <output className={notice['notice']}>
      <Icon name="alert" />
      <p>
        <b>{messages.attention(wrong.length)}</b> {sells && messages.sells}
      </p>
    </output>
  );
}

function Row({ check: { check, state, sentence, todo, href } }: { check: HealthCheck }) {
  const isRight = state === 'ok';
  return (
    <StateRow
      isRight={isRight}
      title={healthTitles[check]}
      end={
        <>
          {href !== undefined && (
            <ButtonLink to={href} variant="outline">
              Open
            </ButtonLink>
          )}
          <Badge tone={isRight ? 'success' : 'warn'}>{isRight ? 'All right' : 'Attention'}</Badge>
        </>
      }
    >
      <p>{sentence}</p>
      {todo !== null && <p>{todo}</p>}
    </StateRow>
  );
}

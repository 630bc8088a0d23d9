import { lazy, Suspense, useState } from 'react';
import { periodLabels, periods } from '../../../shared/dashboard';
import { deferMenu } from '../../ui/deferMenu';
import { Icon } from '../../ui/Icon';
import bar from '../table/Toolbar.module.css';
import { daysInWords } from '../ui/when';
import type { Asked } from './queries';
import { AdminIcon } from '../ui/AdminIcon';

const ActionMenu = deferMenu(async () => (await import('../ui/ActionMenu')).ActionMenu);

const CustomPeriod = lazy(async () => ({ default: (await import('./CustomPeriod')).CustomPeriod }));

interface Props {
  asked: Asked;
  /** The first and the last day of it, once they are known. */
  days: { from: string; to: string } | undefined;
  onChoose: (next: Asked) => void;
}

/** Which days the figures count; the address has them, so that Back brings them back. */
export function PeriodChip({ asked, days, onChoose: go }: Props) {
  const [isChoosing, setChoosing] = useState(false);
  const shown = asked.period === 'custom' ? daysInWords(asked.from ?? '', asked.to ?? '') : periodLabels[asked.period];
  return (
    <>
      <ActionMenu
        title="Period"
        className={bar['chip']}
        choice={{
          heading: 'Period',
          chosen: periodLabels[asked.period],
          options: periods.map((period) => ({ label: periodLabels[period] })),
          onChoose: (label) => {
            const period = periods.find((each) => periodLabels[each] === label);
            if (period === 'custom') setChoosing(true);
            else if (period) go({ period });
          },
        }}
      >
        <AdminIcon name="clock" size={16} />
        {shown}
        <Icon name="chevronDown" size={16} />
      </ActionMenu>
      {isChoosing && (
        <Suspense>
          <CustomPeriod
            days={{ from: days?.from ?? '', to: days?.to ?? '' }}
            onChoose={(chosen) => {
              setChoosing(false);
              go({ period: 'custom', ...chosen });
            }}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </>
  );
}

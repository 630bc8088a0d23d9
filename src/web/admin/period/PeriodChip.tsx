import { Suspense, useState } from 'react';
import chipStyles from '../../ui/Chip.module.css';
import { deferMenu } from '../../ui/deferMenu';
import { Icon } from '../../ui/Icon';
import { AdminIcon } from '../ui/AdminIcon';
import { daysInWords } from '../ui/dates';
import { lazyPart } from '../../ui/lazyPart';

const ActionMenu = deferMenu(async () => (await import('../ui/ActionMenu')).ActionMenu);

const CustomPeriod = lazyPart(() => import('./CustomPeriod'), 'CustomPeriod');

/** The period a report covers, as it is in the page's URL. */
export interface ChosenPeriod<Period extends string> {
  period: Period;
  from?: string;
  to?: string;
}

interface Props<Period extends string> {
  /** The label of each period; `custom` asks for its days. */
  labels: Readonly<Record<Period, string>>;
  offered: readonly Period[];
  current: ChosenPeriod<Period>;
  /** The current period in days, as the initial value of a custom one. */
  days: { from: string; to: string } | undefined;
  onChoose: (chosen: ChosenPeriod<Period>) => void;
}

/** Chooses the period of the figures. It is in the URL, so Back restores it. */
export function PeriodChip<Period extends string>(props: Props<Period | 'custom'>) {
  const { labels, offered, current, days, onChoose } = props;
  const [isChoosing, setChoosing] = useState(false);
  const shown =
    current.period === 'custom' ? daysInWords(current.from ?? '', current.to ?? '') : labels[current.period];
  return (
    <>
      <ActionMenu
        title="Date range"
        className={chipStyles['chip']}
        choice={{
          heading: 'Date range',
          chosen: current.period,
          options: offered.map((period) => ({ value: period, label: labels[period] })),
          onChoose: (value) => {
            const period = offered.find((each) => each === value);
            if (period === 'custom') setChoosing(true);
            else if (period) onChoose({ period });
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
            days={days ?? { from: '', to: '' }}
            onChoose={(chosen) => {
              setChoosing(false);
              onChoose({ period: 'custom', ...chosen });
            }}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </>
  );
}

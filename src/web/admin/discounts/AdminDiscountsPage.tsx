import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../../shared/counts';
import { type DiscountStatus, discountStatusLabels } from '../../../shared/discounts';
import { discountsList } from '../../../shared/discountsList';
import { discountStaffMessages as messages } from '../../../shared/discountsStaff';
import { type ReportPeriod, reportPeriodLabels, reportPeriods } from '../../../shared/reports';
import { knownZone } from '../../ui/shopTime';
import { Badge, type BadgeTone } from '../../ui/Badge';
import { ButtonLink } from '../../ui/ButtonLink';
import { Icon } from '../../ui/Icon';
import { useShopFacts } from '../../ui/shopFacts';
import { PeriodChip } from '../period/PeriodChip';
import { moneyOf } from '../reports/rows';
import { DataTable } from '../table/DataTable';
import { RowMenu } from '../table/RowMenu';
import { chipsOf, useTableSearch } from '../table/tableSearch';
import { columnsOf } from '../table/useDataTable';
import { AdminHead } from '../ui/AdminHead';
import styles from './discounts.module.css';
import {
  type Discount,
  discountsQuery,
  exportDiscounts,
  periodOf,
  useCategoryTitles,
  useSwitchDiscount,
} from './queries';
import { conditionsOf, giftOf } from './discountText';

/** Rule: docs/rules/selling.md, Discount codes */
export function AdminDiscountsPage() {
  const search = useTableSearch(discountsList);
  const [view, change] = search;
  const list = useQuery(discountsQuery(view));
  const period = periodOf(view);
  return (
    <>
      <AdminHead title="Discounts">
        <ButtonLink to="/admin/discounts/new">
          <Icon name="plus" />
          Add code
        </ButtonLink>
      </AdminHead>
      <DataTable
        columns={discountColumns}
        list={list}
        search={search}
        rowName={({ code }) => code}
        empty={messages.noDiscounts}
        failure={messages.listDiscounts.failure}
        filters={chipsOf(discountsList, {})}
        chips={
          <PeriodChip<ReportPeriod>
            labels={reportPeriodLabels}
            offered={reportPeriods}
            current={period}
            days={period.from && period.to ? { from: period.from, to: period.to } : undefined}
            onChoose={({ period: next, from, to }) => change({ filters: { period: next, from, to } })}
          />
        }
        readFile={() => exportDiscounts(view)}
      />
    </>
  );
}

/** Rule: docs/rules/back-office.md, Lists */
const discountColumns = columnsOf<typeof discountsList, Discount>(
  discountsList,
  {
    code: {
      render: ({ id, code }) => (
        <Link to="/admin/discounts/$discountId" params={{ discountId: id }} className={styles['code']}>
          {code}
        </Link>
      ),
      onPhone: 'title',
    },
    gives: { render: (discount) => <b className={styles['gives']}>{giftOf(discount)}</b>, onPhone: 'title' },
    conditions: { render: (discount) => <ConditionsOf discount={discount} />, isMuted: true },
    uses: { render: (discount) => <Uses discount={discount} />, onPhone: 'named' },
    revenue: { render: ({ revenue }) => (revenue === 0 ? '$0.00' : moneyOf(revenue)), onPhone: 'named' },
    status: { render: ({ status }) => <Status status={status} /> },
  },
  (discount) => <DiscountMenu discount={discount} />,
);

function ConditionsOf({ discount }: { discount: Discount }) {
  const timeZone = knownZone(useShopFacts().timeZone);
  const titles = useCategoryTitles();
  return <span className={styles['conditions']}>{conditionsOf(discount, { timeZone, titles })}</span>;
}

/** The meter only repeats the text. */
function Uses({ discount: { uses, maxUses } }: { discount: Discount }) {
  if (maxUses === null) return <span className="tabular">{formatCount(uses)}</span>;
  return (
    <span className="tabular">
      {formatCount(uses)} of {formatCount(maxUses)}
      <span className={styles['meter']} aria-hidden="true">
        <i style={{ width: `${Math.min(1, uses / maxUses) * 100}%` }} />
      </span>
    </span>
  );
}

const tones: Record<DiscountStatus, BadgeTone> = {
  active: 'success',
  planned: 'info',
  used_up: 'neutral',
  ended: 'neutral',
  off: 'neutral',
};

const Status = ({ status }: { status: DiscountStatus }) => (
  <span className={styles['status']}>
    <Badge tone={tones[status]} hollow={tones[status] === 'neutral'}>
      {discountStatusLabels[status]}
    </Badge>
  </span>
);

function DiscountMenu({ discount }: { discount: Discount }) {
  const { mutate: setActive } = useSwitchDiscount();
  const { id, code, isActive } = discount;
  return (
    <RowMenu
      of={code}
      entries={[
        { label: 'Edit code', icon: 'edit', to: `/admin/discounts/${id}` },
        { label: 'View Orders', icon: 'box', to: `/ordered/products?discount=${id}` },
        {
          label: isActive ? 'Deactivate' : 'Activate',
          icon: isActive ? 'pause' : 'play',
          onSelect: () => setActive({ id, isActive: !isActive }),
        },
      ]}
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { useNameWithSize } from '../../catalog/core/useSizeOf';
import { formatCount } from '../../../shared/counts';
import { holdMessages, isLarge, largeHoldProducts } from '../../../shared/holds';
import { holdsList } from '../../../shared/holdsList';
import { Badge } from '../../ui/Badge';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { focusHeading } from '../../ui/focusHeading';
import { useShopTime } from '../../ui/shopTime';
import { DataTable } from '../table/DataTable';
import { RowMenu } from '../table/RowMenu';
import { useTableSearch } from '../table/tableSearch';
import { columnsOf } from '../table/useDataTable';
import { AdminHead } from '../ui/AdminHead';
import styles from './holds.module.css';
import { type Hold, holdsQuery, useEndHold } from './queries';
import { lazyPart } from '../../ui/lazyPart';

const HoldDialog = lazyPart(() => import('./HoldDialog'), 'HoldDialog');

type Opened = { hold: Hold; isEnding: boolean };

/** The stock held by unpaid orders. Rule: docs/rules/back-office.md, Holds */
export function AdminHoldsPage() {
  const search = useTableSearch(holdsList);
  const list = useQuery(holdsQuery(search[0]));
  const [opened, setOpened] = useState<Opened>();
  const columns = useMemo(() => holdColumns(setOpened), []);
  const close = () => setOpened(undefined);
  return (
    <>
      <AdminHead title="Reserved stock" />
      <DataTable
        columns={columns}
        list={list}
        search={search}
        rowName={nameOf}
        empty={holdMessages.noHolds}
        failure={holdMessages.listHolds.failure}
      />
      {opened?.isEnding && <EndDialog hold={opened.hold} onClose={close} />}
      {opened && !opened.isEnding && (
        <Suspense>
          <HoldDialog hold={opened.hold} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

const nameOf = ({ fullName, orderNumber }: Hold) => `${fullName}, order #${orderNumber}`;

/** Rule: docs/rules/back-office.md, Lists */
const holdColumns = (open: (opened: Opened) => void) =>
  columnsOf<typeof holdsList, Hold>(
    holdsList,
    {
      customer: { render: (hold) => <Customer hold={hold} />, onPhone: 'title' },
      orderNumber: {
        render: ({ orderId, orderNumber }) => (
          <Link to="/admin/orders/$orderId" params={{ orderId }} className={`link ${styles['reach']}`}>
            #{orderNumber}
          </Link>
        ),
      },
      since: { render: (hold) => <Times hold={hold} />, isMuted: true },
      lines: { render: (hold) => <Goods hold={hold} onOpen={() => open({ hold, isEnding: false })} /> },
    },
    (hold) => (
      <RowMenu
        of={nameOf(hold)}
        entries={[
          { label: 'View Reservation', icon: 'eye', onSelect: () => open({ hold, isEnding: false }) },
          { label: 'Release Stock', icon: 'trash', isDangerous: true, onSelect: () => open({ hold, isEnding: true }) },
        ]}
      />
    ),
  );

function Customer({ hold: { userId, fullName, email, hasPaid } }: { hold: Hold }) {
  return (
    <>
      <Link to="/admin/view/user/$userId" params={{ userId }} className={`${styles['name']} ${styles['reach']}`}>
        {fullName}
      </Link>
      <small className={styles['more']}>{email}</small>
      {!hasPaid && <small className={styles['more']}>New customer</small>}
    </>
  );
}

function Times({ hold: { since, until, isEnding } }: { hold: Hold }) {
  const { shortTimeOf } = useShopTime();
  return (
    <ul className={styles['times']}>
      <li>Since {shortTimeOf(since)}</li>
      <li>Until {shortTimeOf(until)}</li>
      {isEnding && <li>Releasing</li>}
    </ul>
  );
}

const shownLines = 3;

/** The largest shares, and a button that shows all of them. */
function Goods({ hold: { lines }, onOpen }: { hold: Hold; onOpen: () => void }) {
  const more = lines.length - shownLines;
  const nameOf = useNameWithSize();
  return (
    <div className={styles['goods']}>
      <Share lines={lines} />
      <ul>
        {lines.slice(0, shownLines).map((line) => (
          <li key={line.productId}>
            {nameOf(line)} <span className="tabular">{`${formatCount(line.units)} of ${formatCount(line.stock)}`}</span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <button type="button" className={`link ${styles['reach']}`} onClick={onOpen}>
          {more} more
        </button>
      )}
    </div>
  );
}

/** The number of products of which the order holds more than half. */
function Share({ lines }: Pick<Hold, 'lines'>) {
  const large = lines.filter(({ units, stock }) => isLarge(units, stock)).length;
  if (large === 0) return null;
  return (
    <Badge tone={large >= largeHoldProducts ? 'warn' : 'neutral'}>
      {`Over half of ${large === 1 ? '1 product' : `${large} products`}`}
    </Badge>
  );
}

function EndDialog({ hold, onClose }: { hold: Hold; onClose: () => void }) {
  const { mutate: end } = useEndHold(focusHeading); // the focused row will be removed
  return (
    <ConfirmDialog
      title={`Release the stock reserved for ${hold.fullName}?`}
      text={holdMessages.endAsks}
      action="Release Stock"
      onConfirm={() => end(hold.orderId)}
      onClose={onClose}
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { type DeliveryMethod, deliveryMessages as messages, unservedStates } from '../../../shared/delivery';
import { ReadFailure } from '../../connection/ReadFailure';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { Waiting } from '../../ui/Waiting';
import { SettingsFrame } from '../settings/SettingsFrame';
import rows from '../table/OrderedTable.module.css';
import { toDashboard } from '../ui/AdminHead';
import { AdminIcon } from '../ui/AdminIcon';
import box from '../ui/box.module.css';
import { MethodTable } from './MethodTable';
import { methodsQuery } from './queries';
import { lazyPart } from '../../ui/lazyPart';
import { useShopFacts } from '../../ui/shopFacts';

const MethodDialog = lazyPart(() => import('./MethodDialog'), 'MethodDialog');

/** The delivery methods. Rule: docs/rules/selling.md, Delivery methods */
export function AdminDeliveryPage() {
  const query = useQuery(methodsQuery());
  const { data: methods } = query;
  const [edited, setEdited] = useState<DeliveryMethod | 'new'>();
  return (
    <SettingsFrame to="/admin/delivery">
      <section className={box['box']} aria-labelledby="delivery-methods">
        <header>
          <h2 id="delivery-methods">Delivery methods</h2>
          <Button onClick={() => setEdited('new')}>
            <Icon name="plus" />
            Add method
          </Button>
        </header>
        {!methods && query.error === null && <SkeletonRows />}
        {!methods && query.error !== null && (
          <div className={box['state']}>
            <ReadFailure read={query} failure={messages.listDeliveryMethods.failure} back={toDashboard} />
          </div>
        )}
        {methods?.length === 0 && <p className={box['state']}>{messages.empty}</p>}
        {methods && methods.length > 0 && <MethodTable methods={methods} onEdit={setEdited} />}
        {methods && methods.length > 0 && <Note methods={methods} />}
      </section>
      {edited && (
        <Suspense>
          <MethodDialog method={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
        </Suspense>
      )}
    </SettingsFrame>
  );
}

function SkeletonRows() {
  return (
    <Waiting what="the delivery methods">
      {[1, 2, 3, 4].map((row) => (
        <span key={row} className={`skeleton ${rows['skeleton']}`} />
      ))}
    </Waiting>
  );
}

function Note({ methods }: { methods: readonly DeliveryMethod[] }) {
  return (
    <p className={rows['note']}>
      <AdminIcon name="info" />
      <span>{[unservedStates(methods, useShopFacts()), messages.order].filter(Boolean).join(' ')}</span>
    </p>
  );
}

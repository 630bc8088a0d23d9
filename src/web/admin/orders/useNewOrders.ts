import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orderStaffSays } from '../../../shared/ordersStaff';
import { whenAnyOrderChanges } from '../../api/live';
import { readAnew } from '../../api/readAnew';
import { toast } from '../../ui/toast';
import { staffKey } from '../staffCalls';
import { chime } from './sound';

/** What shows orders, or counts them. */
const about = ['orders', 'order', 'dashboard', 'alarms'] as const;

/** Reads again what anybody's order changed, and tells of a new one. Source: decisions §5 */
export function useNewOrders(): void {
  const cache = useQueryClient();
  useEffect(
    () =>
      whenAnyOrderChanges((isPaid) => {
        for (const what of about) readAnew(cache, staffKey(what));
        if (!isPaid) return;
        toast.info(orderStaffSays.newOrder);
        void chime();
      }),
    [cache],
  );
}

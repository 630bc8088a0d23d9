import type { Schema } from '../../../shared/contract';
import { holdMessages } from '../../../shared/holds';
import { holdsList } from '../../../shared/holdsList';
import { answer, api } from '../../server/client';
import { toast } from '../../ui/toast';
import { staffListQuery, useStaffChange } from '../staffCalls';
import { pageQuery, type TableSearch } from '../table/tableSearch';

/** The list's rows need an id: the order's. */
export type Hold = Schema<'Hold'> & { id: string };

export const holdsQuery = (search: TableSearch<typeof holdsList>) =>
  staffListQuery(['holds', search], async (signal) => {
    const query = pageQuery(holdsList, search);
    const { content, ...rest } = (await answer(api.GET('/admin/holds', { params: { query }, signal }))).holds;
    return { ...rest, content: content.map((hold): Hold => ({ ...hold, id: hold.orderId })) };
  });

/** The order may have been paid first. If the provider does not answer, the hold ends later. */
export function useEndHold(onDone: () => void) {
  return useStaffChange({
    send: (orderId: string, { header }) =>
      answer(api.POST('/admin/holds/{orderId}/end', { params: { path: { orderId }, header }, body: {} })),
    onSuccess: ({ orderStatus }) => {
      if (orderStatus === 'CANCELLED') toast.success(holdMessages.endHold.success);
      else toast.info(orderStatus === 'PENDING_PAYMENT' ? holdMessages.endHold.asked : holdMessages.endHold.paid);
      onDone();
    },
    meta: { failure: holdMessages.endHold.failure },
  });
}

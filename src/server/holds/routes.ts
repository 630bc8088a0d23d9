import type { Schema } from '../../shared/contract';
import { holdMessages as messages } from '../../shared/holds';
import { fromCents } from '../../shared/money';
import { sizeFacts } from '../../shared/sizes';
import type { OrderStatus } from '../db/schema/tables';
import type { ContractApi } from '../http/contract/contract';
import { presentPage } from '../http/contract/paging';
import type { PaymentParts } from '../payments/provider';
import { endHold, listHolds, type HoldRow } from './service';

export function holdRoutes(api: ContractApi, parts: PaymentParts): void {
  api.on('listHolds', async ({ db, query, now }) => {
    const { page = 0, size = 10 } = query;
    const { content, totalElements } = await listHolds(db, { page, size });
    const holds = content.map((hold) => presentHold(hold, now));
    return { message: messages.listHolds.success, data: { holds: presentPage(holds, totalElements, { page, size }) } };
  });
  api.on('endHold', async ({ params: { orderId }, by }) => {
    const orderStatus = await endHold(parts, orderId, by);
    return { message: messageFor(orderStatus), data: { orderId, orderStatus } };
  });
}

function messageFor(status: OrderStatus): string {
  if (status === 'PENDING_PAYMENT') return messages.endHold.asked;
  return status === 'CANCELLED' ? messages.endHold.success : messages.endHold.paid;
}

const presentHold = ({ totalCents, since, until, ...hold }: HoldRow, now: Date): Schema<'Hold'> => ({
  ...hold,
  lines: hold.lines.map(({ unitSize, netGrams, netMillilitres, ...line }) => ({
    ...line,
    ...sizeFacts({ unitSize, netGrams, netMillilitres }),
  })),
  totalAmount: fromCents(totalCents),
  since: since.toISOString(),
  until: until.toISOString(),
  isEnding: until <= now,
});

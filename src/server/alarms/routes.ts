import type { Schema } from '../../shared/contract';
import { orderMessages } from '../../shared/orders';
import type { ContractApi } from '../http/contract/contract';
import { presentPage } from '../http/contract/paging';
import { listOpenAlarms, settleAlarm, type AlarmRow } from './service';

export function alarmRoutes(api: ContractApi): void {
  api.on('listAlarms', async ({ db, query }) => {
    const { page = 0, size = 10 } = query;
    const { content, totalElements } = await listOpenAlarms(db, { page, size });
    return {
      message: 'Alarms',
      data: { alarms: presentPage(content.map(presentAlarm), totalElements, { page, size }) },
    };
  });
  api.on('settleAlarm', async ({ tx, params, by, now }) => ({
    message: orderMessages.settleAlarm.success,
    data: { alarm: presentAlarm(await settleAlarm(tx, params.alarmId, by, now)) },
  }));
}

const presentAlarm = (alarm: AlarmRow): Schema<'Alarm'> => ({
  id: alarm.id,
  kind: alarm.kind,
  detail: alarm.detail,
  orderId: alarm.orderId,
  orderNumber: alarm.orderNumber,
  createdAt: alarm.createdAt.toISOString(),
  settledAt: alarm.settledAt?.toISOString() ?? null,
  settledBy: alarm.settledByName,
});

import type { Schema } from '../../shared/contract';
import { deliveryMessages as messages } from '../../shared/delivery';
import { deliveryMethodForm } from '../../shared/deliveryForms';
import { fromCents } from '../../shared/money';
import type { ShopTerritories } from '../../shared/usStates';
import type { ContractApi } from '../http/contract/contract';
import { presentPage } from '../http/contract/paging';
import type { DeliveryMethodRow } from './repository';
import { archiveDeliveryMethod, createDeliveryMethod, listDeliveryMethods, updateDeliveryMethod } from './service';

type Parts = { settings: { get: () => Promise<ShopTerritories> } };

export function deliveryRoutes(api: ContractApi, { settings }: Parts): void {
  api.on('listDeliveryMethods', async ({ db, query: { page = 0, size = 10 } }) => {
    const { rows, totalElements } = await listDeliveryMethods(db, { page, size });
    const deliveryMethods = presentPage(rows.map(present), totalElements, { page, size });
    return { message: messages.listDeliveryMethods.success, data: { deliveryMethods } };
  });
  api.on(
    'createDeliveryMethod',
    async ({ tx, body, by, now }) => {
      const shop = await settings.get();
      return answer('createDeliveryMethod', await createDeliveryMethod(tx, body, { shop, by, now }));
    },
    { form: deliveryMethodForm },
  );
  api.on(
    'updateDeliveryMethod',
    async ({ tx, params: { id }, body, by, now }) => {
      const shop = await settings.get();
      return answer('updateDeliveryMethod', await updateDeliveryMethod(tx, id, body, { shop, by, now }));
    },
    { form: deliveryMethodForm },
  );
  api.on('archiveDeliveryMethod', async ({ tx, params: { id }, by, now }) =>
    answer('archiveDeliveryMethod', await archiveDeliveryMethod(tx, id, by, now)),
  );
}

type MessageId = 'createDeliveryMethod' | 'updateDeliveryMethod' | 'archiveDeliveryMethod';
const answer = (id: MessageId, method: DeliveryMethodRow) => ({
  message: messages[id].success,
  data: { deliveryMethod: present(method) },
});

const present = ({
  priceCents,
  freeFromCents,
  createdAt: _createdAt,
  archivedAt: _archivedAt,
  ...method
}: DeliveryMethodRow): Schema<'DeliveryMethod'> => ({
  ...method,
  price: fromCents(priceCents),
  freeFrom: freeFromCents === null ? null : fromCents(freeFromCents),
});

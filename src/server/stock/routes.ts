import { catalogStaffMessages as messages } from '../../shared/catalogStaff';
import { stockForm } from '../../shared/catalogForms';
import type { Schema } from '../../shared/contract';
import type { ContractApi } from '../http/contract/contract';
import { presentPage } from '../http/contract/paging';
import { correctStock } from './corrections';
import { listStockMovements, type MovementRow } from './ledger';

export function stockRoutes(api: ContractApi): void {
  api.on(
    'adjustStock',
    async ({ tx, params, body, session, by, now }) => ({
      message: messages.adjustStock.success,
      data: { quantity: await correctStock(tx, params.id, body, { byUserId: session.userId, by, now }) },
    }),
    { form: stockForm },
  );
  api.on('listStockMovements', async ({ db, params, query: { page = 0, size = 10 } }) => {
    const { rows, totalElements, quantity, held } = await listStockMovements(db, params.id, { page, size });
    const movements = presentPage(rows.map(present), totalElements, { page, size });
    return { message: messages.listStockMovements.success, data: { movements, quantity, held } };
  });
}

const present = ({ at, ...row }: MovementRow): Schema<'StockMovement'> => ({ ...row, at: at.toISOString() });

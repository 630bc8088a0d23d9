import type { ContractApi } from '../http/contract';
import { presentUser } from './present';
import { readUser } from './service';

/** The contract layer has refused a {userId} that is not the session's. */
export function userRoutes(api: ContractApi): void {
  api.on('getUser', async ({ db, session }) => ({
    message: 'User',
    data: { user: presentUser(await readUser(db, session.userId)) },
  }));
}

import { staffMailsMessages as messages } from '../../shared/staffMails';
import type { ContractApi } from '../http/contract/contract';
import { readStaffMails, setStaffMails } from './service';

/** The contract layer has already rejected a {userId} that is not the session's. */
export function staffMailRoutes(api: ContractApi): void {
  api.on('getStaffMails', async ({ db, session }) => ({
    message: messages.getStaffMails.success,
    data: { staffMails: await readStaffMails(db, session) },
  }));
  api.on('setStaffMails', async ({ tx, body, session, by, now }) => ({
    message: messages.setStaffMails.success,
    data: { staffMails: await setStaffMails(tx, body, { session, by, now }) },
  }));
}

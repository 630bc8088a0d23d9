import { goLiveMessages as messages } from '../../shared/goLive';
import { readBackupHealth } from '../backup/alarms';
import type { Config } from '../core/config';
import type { ContractApi } from '../http/contract/contract';
import type { Mailer } from '../mail/mailer';
import { readServerState } from '../mail/serverState';
import { readKeyCheck } from '../payments/keyCheck';
import type { Payments } from '../payments/provider';
import type { SettingsCache } from '../settings/service';
import { findFacts } from './facts';
import { stepsOf } from './steps';

type Parts = {
  config: Pick<Config, 'publicUrl'>;
  settings: SettingsCache;
  payments: Pick<Payments, 'isLive' | 'keyId'>;
  mail: { mailer: Pick<Mailer, 'fixed'> };
};

export function goLiveRoutes(api: ContractApi, { config, settings, payments, mail }: Parts): void {
  api.on('getGoLive', async ({ db, now }) => {
    const facts = {
      ...(await findFacts(db)),
      settings: await settings.get(),
      hasLogo: (await settings.logo()) !== null,
      publicUrl: config.publicUrl,
      mailServer: await readServerState(db, mail.mailer),
      isLive: payments.isLive,
      isKeyRejected: (await readKeyCheck(db, payments.keyId))?.isAccepted === false,
      backup: await readBackupHealth(db, now),
      now,
    };
    return { message: messages.getGoLive.success, data: { steps: stepsOf(facts) } };
  });
}

import { sql } from 'drizzle-orm';
import type { StoredSettings } from '../../shared/settingFields';
import type { BackupHealth } from '../backup/alarms';
import type { Connection } from '../db/core/transact';
import { demoProductIds } from '../db/seed/demoCatalog';
import type { ServerState } from '../mail/serverState';

/** What the steps are derived from. */
export type GoLiveFacts = FoundFacts & {
  settings: StoredSettings;
  hasLogo: boolean;
  /** The shop's address as customers see it. */
  publicUrl: Pick<URL, 'origin' | 'protocol'>;
  mailServer: Pick<ServerState, 'state' | 'failure'>;
  /** Whether payments move real money. */
  isLive: boolean;
  /** Whether the provider rejected the key when it was last asked. */
  isKeyRejected: boolean;
  backup: BackupHealth;
  now: Date;
};

type FoundFacts = {
  /** That customers see. */
  products: number;
  /** Products of the demo catalog, never edited, that customers see. */
  samples: number;
  /** Offered at the checkout. */
  methods: number;
  taxedStates: number;
  publishedPages: number;
  /** Whether the provider's webhook told about a live payment. */
  wasTold: boolean;
  /** Whether an order was ever paid. */
  wasPaid: boolean;
};

export async function findFacts(connection: Connection): Promise<FoundFacts> {
  const isShown = sql`archived_at is null and availability`;
  type Row = { [Name in keyof FoundFacts]: FoundFacts[Name] extends boolean ? boolean : string };
  const { rows } = await connection.execute<Row>(sql`
    select (select count(*) from products where ${isShown}) as products,
      (select count(*) from products
        where ${isShown} and edited_version = 1 and id = any(${sql.param(demoProductIds())}::uuid[])) as samples,
      (select count(*) from delivery_methods where is_active and archived_at is null) as methods,
      (select count(*) from tax_rates) as "taxedStates",
      (select count(*) from pages where archived_at is null and is_published) as "publishedPages",
      exists (select from payment_sessions join payment_events using (order_id)
        where session_id like 'cs_live_%' and not is_fetched) as "wasTold",
      exists (select from orders where paid_at is not null) as "wasPaid"`);
  const [{ products, samples, methods, taxedStates, publishedPages, wasTold, wasPaid }] = rows as [Row];
  return {
    products: Number(products),
    samples: Number(samples),
    methods: Number(methods),
    taxedStates: Number(taxedStates),
    publishedPages: Number(publishedPages),
    wasTold,
    wasPaid,
  };
}

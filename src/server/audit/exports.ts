import type { FastifyReply } from 'fastify';
import type { AuditAction } from '../../shared/audit';
import { transact, type Db } from '../db/core/transact';
import { sendCsv } from '../http/csv/csvDownload';
import { writeAudit, type Audited } from './service';

type Exported = Extract<AuditAction, `${string}.exported`> extends `${infer List}.exported` ? List : never;
type Rows<Row extends { id: string | number }> = Omit<Parameters<typeof sendCsv<Row>>[1], 'name' | 'now'>;

/**
 * Sends rows as a CSV file, after recording the export in the audit log.
 * @param file.name as in `sendCsv`
 * @param file.loggedAs the name of the list in the log: `orders` for `orders.exported`
 */
export async function sendExport<Row extends { id: string | number }>(
  { db, by, now, reply }: Pick<Audited, 'by' | 'now'> & { db: Db; reply: FastifyReply },
  { name, loggedAs }: { name: string; loggedAs: Exported },
  rows: Rows<Row>,
): Promise<FastifyReply> {
  const action = `${loggedAs}.exported` as const;
  await transact(db, (tx) => writeAudit(tx, { by, action, target: { kind: 'export', id: null }, now }));
  return sendCsv(reply, { ...rows, name, now });
}

/**
 * Who did what to which target, and when. A row is written in the transaction of the change, so neither exists without
 * the other. Database permissions and triggers prevent changes and deletions.
 * Rule: docs/rules/back-office.md, Audit log; ASVS 16.2
 */
import type { AuditAction, AuditedKind } from '../../shared/audit';
import { notRecorded } from '../../shared/auditWords';
import { storedId } from '../core/ids';
import { auditLog } from '../db/schema/tables';
import type { Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';

export const nobody: Actor = { userId: null, requestId: null };

export type Audited = {
  by: Actor;
  /** Such as `user.role_changed`. */
  action: AuditAction;
  target: { kind: AuditedKind; id: string | null };
  /** The changed fields, old and new: see `changed`. */
  before?: Facts | undefined;
  after?: Facts | undefined;
  now: Date;
};
export type Facts = Record<string, unknown>;

export { notRecorded as notKept };

/** @param tx the transaction of the change */
export const writeAudit = (tx: Tx, audited: Audited): Promise<void> => writeAudits(tx, [audited]);

/** The same for several changes of a transaction. */
export async function writeAudits(tx: Tx, audited: readonly Audited[]): Promise<void> {
  if (audited.length === 0) return;
  await tx.insert(auditLog).values(
    audited.map(({ by, action, target, before, after, now }) => ({
      at: now,
      actorId: by.userId,
      action,
      targetKind: target.kind,
      targetId: storedId(target.id),
      before: before ?? null,
      after: after ?? null,
      requestId: by.requestId,
    })),
  );
}

/**
 * The fields that differ, with their old and new values. The log is stored for long and all staff can read it, so
 * `(not kept)` replaces personal data.
 * @param personal names of fields whose values are left out
 * @returns undefined when nothing changed
 */
export function changed(
  before: Facts,
  after: Facts,
  personal: readonly string[] = [],
): { before: Facts; after: Facts } | undefined {
  const names = Object.keys(after).filter((name) => !isSame(before[name], after[name]));
  if (names.length === 0) return undefined;
  const pick = (facts: Facts) =>
    Object.fromEntries(names.map((name) => [name, personal.includes(name) ? notRecorded : (facts[name] ?? null)]));
  return { before: pick(before), after: pick(after) };
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

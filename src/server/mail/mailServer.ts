/**
 * The mail server from Settings, in one row of `settings`. Its password is encrypted with a key outside the database,
 * and bound to the server: a change of the row alone can't send it to another server.
 * Rule: docs/rules/contact-and-mail.md, The mail server
 */
import { eq } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import { decrypt, encrypt, type EncryptionKeys } from '../core/encryption';
import type { Connection, Tx } from '../db/core/transact';
import { settings } from '../db/schema/tables';

export type MailServer = {
  host: string;
  port: number;
  security: Schema<'MailSecurity'>;
  /** Undefined without a login. */
  user?: string | undefined;
  password?: string | undefined;
  /** The address that mails come from. */
  sender: string;
};

/** As it is stored; `password` is encrypted, in base64. */
type StoredServer = Omit<MailServer, 'password'> & { password: string | null };

export type FoundServer = MailServer & {
  /** The stored password was encrypted with another key, so it must be entered again. */
  isUnreadable: boolean;
};

/** Its row in `settings`. */
export const mailServerName = 'mail_server';

/** @returns undefined while the owner has set none */
export async function findMailServer(connection: Connection, keys: EncryptionKeys): Promise<FoundServer | undefined> {
  const [row] = await connection
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.name, mailServerName));
  if (!row) return undefined;
  const { password: stored, ...server } = row.value as StoredServer;
  if (stored === null) return { ...server, isUnreadable: false };
  const plain = decrypt(Buffer.from(stored, 'base64'), aboutOf(server), keys);
  return { ...server, password: plain && Buffer.from(plain).toString(), isUnreadable: plain === undefined };
}

export async function saveMailServer(tx: Tx, { password, ...server }: MailServer, keys: EncryptionKeys): Promise<void> {
  const encrypted =
    password === undefined ? null : encrypt(Buffer.from(password), aboutOf(server), keys).toString('base64');
  const value: StoredServer = { ...server, password: encrypted };
  const row = { name: mailServerName, value };
  await tx.insert(settings).values(row).onConflictDoUpdate({ target: settings.name, set: { value } });
}

export async function deleteMailServer(tx: Tx): Promise<void> {
  await tx.delete(settings).where(eq(settings.name, mailServerName));
}

/** Whether both are the same login at the same server, so that a stored password may be used for both. */
export const isSameLogin = (one: MailServer, other: MailServer): boolean => aboutOf(one) === aboutOf(other);

const aboutOf = ({ host, port, security, user = '' }: Omit<MailServer, 'password'>) =>
  JSON.stringify([mailServerName, host.toLowerCase(), port, security, user]);

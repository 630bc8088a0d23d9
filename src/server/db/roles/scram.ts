/** What PostgreSQL keeps of a password (RFC 5803): sent in place of it, the password itself is in no log of statements. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const iterations = 4096; // PostgreSQL's own
const bytes = { salt: 16, key: 32 };

/** @param password of ASCII characters, which need no preparing */
export function scramVerifier(password: string): string {
  const salt = randomBytes(bytes.salt);
  const salted = pbkdf2Sync(password, salt, iterations, bytes.key, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${keyOf('Server Key').toString('base64')}`;
}

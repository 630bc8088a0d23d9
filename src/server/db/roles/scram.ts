/** PostgreSQL's SCRAM verifier (RFC 5803). It is sent instead of the password, which then appears in no statement log. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const iterations = 4096; // PostgreSQL's default
const bytes = { salt: 16, key: 32 };

/** @param password ASCII only, so that it needs no SASLprep */
export function scramVerifier(password: string): string {
  const salt = randomBytes(bytes.salt);
  const salted = pbkdf2Sync(password, salt, iterations, bytes.key, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${keyOf('Server Key').toString('base64')}`;
}

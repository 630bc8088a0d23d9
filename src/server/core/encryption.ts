/** Encrypts what the database stores, with a key that is outside it: the database alone, or a backup, reveals nothing. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** The first one encrypts, any of them may decrypt: SESSION_SECRET may have been set later. */
export type EncryptionKeys = readonly [Uint8Array, ...Uint8Array[]];

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** @param about what the text belongs to: in another row it can't be decrypted */
export function encrypt(plain: Uint8Array, about: string, [key]: EncryptionKeys): Buffer {
  const iv = randomBytes(ivBytes);
  const encrypting = createCipheriv(cipher, key, iv).setAAD(Buffer.from(about));
  const encrypted = Buffer.concat([encrypting.update(plain), encrypting.final()]);
  return Buffer.concat([iv, encrypting.getAuthTag(), encrypted]);
}

/** @returns undefined when it was encrypted under another key, or belongs to something else */
export function decrypt(stored: Uint8Array, about: string, keys: EncryptionKeys): Uint8Array | undefined {
  for (const key of keys) {
    const plain = decryptWith(key, stored, about);
    if (plain) return plain;
  }
  return undefined;
}

function decryptWith(key: Uint8Array, stored: Uint8Array, about: string): Uint8Array | undefined {
  const iv = stored.subarray(0, ivBytes);
  const tag = stored.subarray(ivBytes, ivBytes + tagBytes);
  try {
    const decrypting = createDecipheriv(cipher, key, iv, { authTagLength: tagBytes })
      .setAAD(Buffer.from(about))
      .setAuthTag(tag);
    return Buffer.concat([decrypting.update(stored.subarray(ivBytes + tagBytes)), decrypting.final()]);
  } catch {
    return undefined;
  }
}

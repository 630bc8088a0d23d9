import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new id such as `pi_…`: 28 letters and digits from the system's generator, 166 random bits. */
export function newId(prefix: string): string {
  let id = prefix;
  while (id.length < prefix.length + 28) {
    for (const byte of randomBytes(32)) {
      // 248 is the largest multiple of 62 in a byte: larger values would make some letters likelier
      if (byte < 248 && id.length < prefix.length + 28) id += alphabet[byte % 62];
    }
  }
  return id;
}

/** Whether a write failed because the device or the shop's storage quota is full. Dexie wraps the original error. */
export function isOutOfSpace(error: unknown): boolean {
  const { name, inner } = (error ?? {}) as { name?: string; inner?: { name?: string } };
  return [name, inner?.name].includes('QuotaExceededError');
}

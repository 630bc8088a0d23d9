/** Whether a write failed because the device, or what the browser gives the shop of it, is full. Dexie puts it within. */
export function isOutOfSpace(error: unknown): boolean {
  const { name, inner } = (error ?? {}) as { name?: string; inner?: { name?: string } };
  return [name, inner?.name].includes('QuotaExceededError');
}

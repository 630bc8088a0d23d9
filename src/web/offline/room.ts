/** Whether a write failed because the device, or what the browser gives the shop of it, is full. */
export const isOutOfRoom = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError';

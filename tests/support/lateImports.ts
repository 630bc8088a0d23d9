/**
 * Delays the end of a test file until no import is in flight. Modules are shared with later files, and Vitest rejects
 * pending imports when a file ends: a page whose import was rejected could never be opened again.
 */
import { afterAll, vi } from 'vitest';

afterAll(() => vi.dynamicImportSettled());

/**
 * A test file ends only when nothing is being loaded any more. What is loaded is shared with the files after it, and
 * Vitest rejects what is under way when a file ends: a page that was being opened could then never be opened again.
 */
import { afterAll, vi } from 'vitest';

afterAll(() => vi.dynamicImportSettled());

import { visitsKey } from '../../shared/deviceNames';
import { readJson, writeJson } from '../browser/storage';
import { createStore } from '../browser/store';

/** The browser's install event, stored until the offer uses it. */
export interface InstallPrompt extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

export const installPrompt = createStore<InstallPrompt | undefined>(undefined);

/** "Not now" is for good on this device. Earlier versions of the shop stored it with its time, beside other facts. */
export const hasDeclinedInstall = (): boolean => stored().refusedAt !== undefined;

export const declineInstall = (): boolean => writeJson(visitsKey, { ...stored(), refusedAt: Date.now() });

const stored = () => (readJson(visitsKey) ?? {}) as { refusedAt?: number };

import { attempt } from './attempt';

/**
 * Safe access to localStorage, which throws in browsers that block storage and doesn't exist on the server. Then reads
 * return nothing and writes are lost.
 */
export const readText = (key: string): string | undefined => attempt(() => localStorage.getItem(key)) ?? undefined;

/** @returns undefined for invalid JSON too */
export const readJson = (key: string): unknown => attempt(() => JSON.parse(readText(key) ?? 'null')) ?? undefined;

/** @returns whether it was stored */
export const writeText = (key: string, text: string): boolean =>
  attempt(() => localStorage.setItem(key, text) === undefined) ?? false;

export const removeText = (key: string): void => attempt(() => localStorage.removeItem(key));

export const writeJson = (key: string, value: unknown): boolean => writeText(key, JSON.stringify(value));

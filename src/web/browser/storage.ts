import { attempt } from './attempt';

/**
 * localStorage, where there is one: a browser that keeps nothing for us throws, and the server has none. Then nothing is
 * found, and what is written is not there at the next visit.
 */
export const readText = (key: string): string | undefined => attempt(() => localStorage.getItem(key)) ?? undefined;

/** @returns undefined where something else than JSON stands, too */
export const readJson = (key: string): unknown => attempt(() => JSON.parse(readText(key) ?? 'null')) ?? undefined;

/** @returns whether it is there now */
export const writeText = (key: string, text: string): boolean =>
  attempt(() => localStorage.setItem(key, text) === undefined) ?? false;

export const removeText = (key: string): void => attempt(() => localStorage.removeItem(key));

export const writeJson = (key: string, value: unknown): boolean => writeText(key, JSON.stringify(value));

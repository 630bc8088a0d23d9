/** The last searches, on this device until logout. Rule: docs/rules/catalog.md, Search */
import { recentSearchesKey } from '../../shared/deviceNames';
import { readJson, removeText, writeJson } from '../browser/storage';

const maxRecent = 8;

/** @returns the newest first */
export function readRecent(): string[] {
  const stored = readJson(recentSearchesKey);
  return Array.isArray(stored) ? stored.filter((text) => typeof text === 'string').slice(0, maxRecent) : [];
}

/** A search that was repeated moves to the front. */
export function noteRecent(typed: string): void {
  const text = typed.trim();
  if (text !== '') writeJson(recentSearchesKey, [text, ...without(text)].slice(0, maxRecent));
}

/** @returns the others */
export function forgetRecent(text: string): string[] {
  const others = without(text);
  writeJson(recentSearchesKey, others);
  return others;
}

export const clearRecent = (): void => removeText(recentSearchesKey);

const without = (text: string) => readRecent().filter((each) => each.toLowerCase() !== text.toLowerCase());

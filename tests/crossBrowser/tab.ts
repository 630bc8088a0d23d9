/** A browser tab as a person uses it, whatever drives the engine. Each step waits until it can be done. */

export type Engine = 'chromium' | 'firefox' | 'webkit';
export type Role =
  | 'article'
  | 'button'
  | 'checkbox'
  | 'dialog'
  | 'group'
  | 'heading'
  | 'link'
  | 'listitem'
  | 'menuitem'
  | 'menuitemradio'
  | 'radio'
  | 'row';

/** Targets as a person names them: an element of a role by its full name, a visible text, or a field by its label. */
export type Target = ({ role: Role; name: string | RegExp } | { text: string | RegExp } | { label: string }) & {
  /** Only inside this one. */
  within?: Target;
};

export type Key = 'Escape' | 'Enter' | 'Tab' | 'ArrowLeft' | 'ArrowUp' | 'ArrowRight' | 'ArrowDown';

export interface Tab {
  /** @param address a path of the shop, or a whole URL */
  open: (address: string) => Promise<void>;
  reload: () => Promise<void>;
  back: () => Promise<void>;
  address: () => Promise<string>;
  press: (target: Target) => Promise<void>;
  /** Presses the first, moves the pointer onto the second, and lets go. Both must be in view together. */
  drag: (from: Target, to: Target) => Promise<void>;
  /** Key by key, replacing the existing text. */
  write: (label: string, text: string) => Promise<void>;
  choose: (label: string, option: string) => Promise<void>;
  /** @param file its path from the project's root */
  give: (label: string, file: string) => Promise<void>;
  key: (name: Key) => Promise<void>;
  /** Resolves once it is visible. @param limit in ms */
  sees: (target: Target, limit?: number) => Promise<void>;
  /** Resolves once nothing of it is visible. */
  misses: (target: Target) => Promise<void>;
  /** @returns what `work` returns in the page; it can use nothing from this file but `input` */
  run: <Input, Result>(work: (input: Input) => Result | Promise<Result>, input: Input) => Promise<Result>;
  /** Stops the shop's workers, which restart on demand; only in Chromium. */
  endWorkers: () => Promise<void>;
  newTab: () => Promise<Tab>;
  close: () => Promise<void>;
  picture: () => Promise<Buffer>;
}

/**
 * A new page may still move the focus to its heading, and with it keys meant for a field.
 * @throws Error when the field does not contain the text, apart from its formatting
 */
export function requireWritten(label: string, text: string, value: string): void {
  const plain = (each: string) => each.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  if (plain(value) !== plain(text)) throw new Error(`“${label}” holds “${value}”, not “${text}”`);
}

export interface Browser {
  tab: Tab;
  /** @returns the pages' complaints since the last call: console errors and warnings, one a line */
  complaints: () => Promise<string[]>;
  close: () => Promise<void>;
}

/** In ms: many times what a step takes, since a busy machine is no fault. */
export const patience = 30_000;

export interface Size {
  width: number;
  height: number;
}

/** Properties of `navigator` that a browser lacks, such as one of the shop over plain http, or an old one. */
export type Lacking = 'locks' | 'storage' | 'connection';

/** What a browser lacks compared with a fresh installation. */
export interface Less {
  lacking?: readonly Lacking[];
  /** As when its settings block cookies and data of all sites. In WebKit cookies alone; not possible in Chromium. */
  keepsNothing?: boolean;
}

/** Runs in each page before its own scripts; the page counts as the installed app's, which requests more. */
export function takeAway(names: readonly Lacking[]): void {
  for (const name of names) Object.defineProperty(Navigator.prototype, name, { get: () => undefined });
  Object.defineProperty(Navigator.prototype, 'standalone', { get: () => true });
}
export const phone: Size = { width: 390, height: 844 };
export const desktop: Size = { width: 1440, height: 900 };

/** Polls until the result is true. @throws Error that says what it waited for */
export async function until(what: string, isSo: () => Promise<boolean>, limit = patience): Promise<void> {
  const end = Date.now() + limit;
  let trouble: Error | undefined;
  for (;;) {
    try {
      if (await isSo()) return;
    } catch (error) {
      trouble = error as Error; // as between two pages
    }
    if (Date.now() > end)
      throw new Error(`${what}: not in ${limit} ms${trouble ? `, ${trouble.message}` : ''}`, { cause: trouble });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export function named(target: Target): string {
  const inside = target.within ? ` in ${named(target.within)}` : '';
  if ('role' in target) return `${target.role} “${String(target.name)}”${inside}`;
  return 'text' in target ? `“${String(target.text)}”${inside}` : `field “${target.label}”${inside}`;
}

/**
 * Collects the inline scripts and styles of a server-rendered page. The page's Content-Security-Policy allows, by hash,
 * only the code written here. The finished HTML is never scanned for code, because that would also allow injected code.
 * Rule: docs/rules/wire.md, Headers
 */
import type { RenderedPage } from '../../shared/rendering';

export type InlineCode = {
  /**
   * @param text our code or the router's; data in it is escaped, so it can't close the element
   * @returns the script element
   */
  script: (text: string) => string;
  /** @param attributes starts with a space */
  style: (text: string, attributes?: string) => string;
  /** Hashes of everything written. */
  hashes: () => Promise<Pick<RenderedPage, 'scriptHashes' | 'styleHashes'>>;
};

/** For one page. @param known scripts already in the page that we know from elsewhere */
export function createInlineCode(known: readonly string[]): InlineCode {
  const scripts = new Set(known);
  const styles = new Set<string>();
  return {
    script: (text) => {
      scripts.add(text);
      return `<script>${text}</script>`;
    },
    style: (text, attributes = '') => {
      styles.add(text);
      return `<style${attributes}>${text}</style>`;
    },
    hashes: async () => ({
      scriptHashes: await Promise.all([...scripts].map(hashOf)),
      styleHashes: await Promise.all([...styles].map(hashOf)),
    }),
  };
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}

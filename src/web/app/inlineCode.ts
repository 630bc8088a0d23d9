/**
 * The inline scripts and styles of a page that the server draws. The page's content policy lets in what was written here,
 * by its hash, and nothing else: the finished page is never searched for code, since what an attacker got into it would
 * be found there, too. Rule: docs/rules/wire.md, Headers
 */
import type { RenderedPage } from '../../shared/rendering';

export type InlineCode = {
  /** @returns the block @param text ours, or of the router's; data in it is escaped, so that it does not end the block */
  script: (text: string) => string;
  /** @param attributes with a space in front */
  style: (text: string, attributes?: string) => string;
  /** Of all that was written. */
  hashes: () => Promise<Pick<RenderedPage, 'scriptHashes' | 'styleHashes'>>;
};

/** For one page. @param known scripts that are in it already, known from elsewhere than the page */
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

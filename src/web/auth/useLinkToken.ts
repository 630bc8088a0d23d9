import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** The purpose of a mailed link: `token` for its page's main purpose, `takeover` for taking over an address. */
const names = ['takeover', 'token'] as const;
export type LinkToken = { name: (typeof names)[number]; token: string };

/**
 * The token of a mailed link, from its query or fragment. It stays in memory and is removed from the URL immediately:
 * the history, a bookmark or a glance at the screen would reveal it.
 * @param page the link's page
 * @returns the token of the newest link opened in this tab; undefined without one
 */
export function useLinkToken(page: '/reset-password' | '/confirm-email' | '/invitation'): LinkToken | undefined {
  const inLink = useLocation({
    select: ({ search, hash }) => tokenIn(search) ?? tokenIn(Object.fromEntries(new URLSearchParams(hash))),
    structuralSharing: true,
  });
  const [link, setLink] = useState(inLink);
  const navigate = useNavigate();
  const isNewer = inLink && (inLink.token !== link?.token || inLink.name !== link.name);
  if (isNewer) setLink(inLink); // another link was opened in the same tab
  useEffect(() => {
    if (inLink) void navigate({ to: page, search: {}, hash: '', replace: true });
  }, [inLink, navigate, page]);
  return link;
}

function tokenIn(values: Record<string, unknown>): LinkToken | undefined {
  for (const name of names) {
    const token = values[name];
    if (typeof token === 'string' && token !== '') return { name, token: token.slice(0, 512) };
  }
  return undefined;
}

import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** What a mail's link is for: `token` for what its page is there for, `takeover` for taking an address over. */
const names = ['takeover', 'token'] as const;
export type LinkToken = { name: (typeof names)[number]; token: string };

/**
 * The token of a mail's link, from behind the `?` or the `#`. It stays in this page's memory and leaves the address at
 * once: the history, a bookmark or a look over the shoulder would give it away.
 * @param page that the link leads to
 * @returns that of the newest link opened in this tab; undefined without one
 */
export function useLinkToken(page: '/reset-password' | '/confirm-email'): LinkToken | undefined {
  const inLink = useLocation({
    select: ({ search, hash }) => tokenIn(search) ?? tokenIn(Object.fromEntries(new URLSearchParams(hash))),
    structuralSharing: true,
  });
  const [link, setLink] = useState(inLink);
  const navigate = useNavigate();
  const isNewer = inLink && (inLink.token !== link?.token || inLink.name !== link.name);
  if (isNewer) setLink(inLink); // opened in the same tab
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

import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * The token of a mail's link, from behind the `?` or the `#`. It stays in this page's memory and leaves the address at
 * once: the history, a bookmark or a look over the shoulder would give it away.
 * @param page that the link leads to
 * @param name what the token is called there
 * @returns '' without a link
 */
export function useLinkToken(page: '/reset-password' | '/confirm-email', name = 'token'): string {
  const inLink = useLocation({ select: ({ search, hash }) => tokenIn(search, name) || tokenIn(parseHash(hash), name) });
  const [token, setToken] = useState(inLink);
  const navigate = useNavigate();
  if (inLink && inLink !== token) setToken(inLink); // a newer link, opened in the same tab
  useEffect(() => {
    if (inLink) void navigate({ to: page, search: {}, hash: '', replace: true });
  }, [inLink, navigate, page]);
  return token;
}

const tokenIn = (values: Record<string, unknown>, name: string): string => {
  const token = values[name];
  return typeof token === 'string' ? token.slice(0, 512) : '';
};
const parseHash = (hash: string): Record<string, unknown> => Object.fromEntries(new URLSearchParams(hash));

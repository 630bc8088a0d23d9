import { ChakraProvider } from '@chakra-ui/react/styled-system';
import type { ReactNode } from 'react';
import { system } from './theme';

/**
 * Provides the theme to Chakra components: dialogs, menus, drawers. Each of them includes it, so that
 * neither Chakra nor the theme's JavaScript is in the first load, which uses plain CSS with the theme's variables.
 */
export function Themed({ children }: { children: ReactNode }) {
  return <ChakraProvider value={system}>{children}</ChakraProvider>;
}

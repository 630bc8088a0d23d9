import { ChakraProvider } from '@chakra-ui/react/styled-system';
import type { ReactNode } from 'react';
import { system } from './theme';

/**
 * Around every part that is built of Chakra: fields, dialogs, menus, the back office. Each brings it along, so that neither
 * Chakra nor the theme as JavaScript is in the first load; what pages show at first is plain CSS with the theme's variables.
 */
export function Themed({ children }: { children: ReactNode }) {
  return <ChakraProvider value={system}>{children}</ChakraProvider>;
}

import { Heading } from '@chakra-ui/react/heading';
import { chakra } from '@chakra-ui/react/styled-system';
import type { ReactNode } from 'react';

/** A page's title, with room for one action at its right. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <chakra.div
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="space-between"
      gap="3"
      pt={{ base: '7', lg: '13' }}
      pb={{ base: '5', lg: '7' }}
    >
      <Heading as="h1" textStyle="h1" tabIndex={-1}>
        {title}
      </Heading>
      {children}
    </chakra.div>
  );
}

import { Heading } from '@chakra-ui/react/heading';
import { chakra } from '@chakra-ui/react/styled-system';
import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

interface Props {
  title: string;
  /** A drawing or symbol above the title. */
  art?: ReactNode;
  text?: string;
  /** A few facts under the text. */
  details?: ReactNode;
  /** One or two ways on. */
  children?: ReactNode;
}

/** One symbol, one sentence, one or two ways on: for what is empty, missing or has failed. */
export function EmptyState({ title, art, text, details, children }: Props) {
  return (
    <div className={`wrap ${styles['empty']}`}>
      {art}
      <Heading as="h1" textStyle="h1" tabIndex={-1}>
        {title}
      </Heading>
      {text && (
        <chakra.p textStyle="lead" color="fg.muted" maxW="36ch">
          {text}
        </chakra.p>
      )}
      {details}
      <div className={styles['actions']}>{children}</div>
    </div>
  );
}

import type { ReactNode } from 'react';
import { aboutPicture, heroPicture } from '../../shared/brandPictures.gen';
import { Heading } from '../ui/Heading';
import { Picture } from '../ui/Picture';
import styles from './AuthFrame.module.css';

interface Props {
  title: string;
  isWide?: boolean;
  children: ReactNode;
}

/** A photograph on the left and the form on the right; on phones only the form. */
export function AuthFrame({ title, isWide = false, children }: Props) {
  return (
    <div className={styles['frame']}>
      <div className={styles['side']}>
        <Picture picture={isWide ? aboutPicture : heroPicture} sizes="(min-width: 1024px) 50vw, 1px" isDecoration />
      </div>
      <div className={`${styles['body']} ${isWide ? styles['wide'] : ''}`}>
        <Heading as="h1" textStyle="h1" tabIndex={-1}>
          {title}
        </Heading>
        {children}
      </div>
    </div>
  );
}

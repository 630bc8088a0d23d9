import type { ReactNode } from 'react';
import { Heading } from '../ui/Heading';
import { Buttons } from './Buttons';
import { Dialogs } from './Dialogs';
import { Fields } from './Fields';
import styles from './Gallery.module.css';
import { Shown } from './Shown';
import { States } from './States';

const groups: readonly (readonly [title: string, parts: ReactNode])[] = [
  ['Buttons and links', <Buttons key="buttons" />],
  ['Fields', <Fields key="fields" />],
  ['What is shown', <Shown key="shown" />],
  ['Dialogs, menus and toasts', <Dialogs key="dialogs" />],
  ['Waiting, empty and failed', <States key="states" />],
];

/** The content of each gallery frame. */
export function PartsPage() {
  return (
    <main className={styles['parts']}>
      {groups.map(([title, parts]) => (
        <section key={title} aria-label={title}>
          <Heading as="h2" textStyle="h2">
            {title}
          </Heading>
          {parts}
        </section>
      ))}
    </main>
  );
}

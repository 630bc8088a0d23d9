import { Heading } from '../ui/Heading';
import styles from './Gallery.module.css';

const looks = [
  { name: 'Phone, light', classNames: ['phone', 'light'] },
  { name: 'Phone, dark', classNames: ['phone', 'dark'] },
  { name: 'Desktop, light', classNames: ['desktop', 'light'] },
  { name: 'Desktop, dark', classNames: ['desktop', 'dark'] },
] as const;

/**
 * Shows all UI components in their states, for developers; only in `npm run dev`. Each look is an iframe, because
 * components depend on the window's width and color scheme. Rule: docs/rules/running.md, Commands
 */
export function GalleryPage() {
  return (
    <main className={styles['gallery']}>
      <Heading as="h1" textStyle="h1">
        Gallery
      </Heading>
      {looks.map(({ name, classNames }) => (
        <section key={name}>
          <h2>{name}</h2>
          {/* oxlint-disable-next-line react/iframe-missing-sandbox -- it is a page of the shop */}
          <iframe title={name} src="/gallery/parts" className={classNames.map((each) => styles[each]).join(' ')} />
        </section>
      ))}
    </main>
  );
}

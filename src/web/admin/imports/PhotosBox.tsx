import { Link } from '@tanstack/react-router';
import { importLimits } from '../../../shared/imports';
import { importPageMessages as messages } from '../../../shared/importsStaff';
import box from '../ui/box.module.css';
import styles from './imports.module.css';
import type { ImportPhotos } from './queries';

/** The photos that couldn't be loaded, with their links and products. */
export function PhotosBox({ photos: { problems } }: { photos: ImportPhotos }) {
  return (
    <section className={box['box']} aria-labelledby="import-photos">
      <header>
        <h2 id="import-photos">Photos that are missing</h2>
      </header>
      <p className={styles['note']}>
        {messages.photosAgain} {problems.length >= importLimits.problems && messages.firstProblems}
      </p>
      <ul className={styles['kept']}>
        {problems.map(({ productId, url, message }) => (
          <li key={`${productId} ${url}`}>
            {message} {url}{' '}
            <Link to="/view/product/$id" params={{ id: productId }} className="link">
              View product
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

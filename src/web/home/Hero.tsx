import { heroPicture } from '../../shared/brandPictures.gen';
import { CategoryLinks } from '../catalog/CategoryLinks';
import { Heading } from '../ui/Heading';
import { Picture } from '../ui/Picture';
import styles from './Hero.module.css';
import { Hull } from './Hull';

/** The title on indigo, the photograph, and the way into the categories. */
export function Hero() {
  return (
    <section className={styles['hero']}>
      <div className={styles['picture']}>
        <Picture picture={heroPicture} sizes="(min-width: 1024px) 56vw, 100vw" ratio={0.5} isFirst isDecoration />
      </div>
      <div className="wrap">
        <div className={styles['text']}>
          <Heading as="h1" textStyle="display" tabIndex={-1}>
            Savory, Seasoning{' '}
            <span className={styles['together']}>
              <span className={styles['ampersand']}>&amp;</span> Spices
            </span>
          </Heading>
          <p className={`text-lead ${styles['lead']}`}>Flavor your world with our savory sensations!</p>
          <div className={styles['ways']}>
            <CategoryLinks classNames={[styles['light'], styles['night']]} />
          </div>
        </div>
      </div>
      <Hull />
    </section>
  );
}

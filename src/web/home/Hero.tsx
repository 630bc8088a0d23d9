import { Heading } from '@chakra-ui/react/heading';
import { chakra } from '@chakra-ui/react/styled-system';
import { heroPicture } from '../../shared/brandPictures.gen';
import { ButtonLink } from '../ui/ButtonLink';
import { Picture } from '../ui/Picture';
import styles from './Hero.module.css';
import { Hull } from './Hull';

/** The title on indigo, the photograph, and the way to both first categories. */
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
          <chakra.p textStyle="lead" color="fg.onNightMuted">
            Flavor your world with our savory sensations!
          </chakra.p>
          <div className={styles['ways']}>
            <ButtonLink to="/products/$category" params={{ category: 'savory' }} size="lg" className={styles['light']}>
              <span className="cap">savory</span>
            </ButtonLink>
            <ButtonLink to="/products/$category" params={{ category: 'spices' }} size="lg" className={styles['night']}>
              <span className="cap">spices</span>
            </ButtonLink>
          </div>
        </div>
      </div>
      <Hull />
    </section>
  );
}

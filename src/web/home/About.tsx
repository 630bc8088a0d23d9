import { Heading } from '@chakra-ui/react/heading';
import { chakra } from '@chakra-ui/react/styled-system';
import { aboutPicture } from '../../shared/brandPictures.gen';
import { ButtonLink } from '../ui/ButtonLink';
import { Picture } from '../ui/Picture';
import styles from './About.module.css';

/** What About in the header leads to. */
export function About() {
  return (
    <section id="about" className={`wrap ${styles['about']}`}>
      <figure>
        <Picture picture={aboutPicture} sizes="(min-width: 1024px) 594px, 100vw" ratio={0.75} />
      </figure>
      <div className={styles['copy']}>
        <Heading as="h2" textStyle="h1">
          About Us
        </Heading>
        <chakra.p textStyle="lead" color="fg.muted" textWrap="pretty">
          We are a Gambian-owned shop for savory seasonings and spices.
        </chakra.p>
        <chakra.p color="fg.muted">
          Home cooks and professional chefs cook from the same jars. Choose by category, keep a cart, and have it all at
          your door.
        </chakra.p>
        <div>
          <ButtonLink to="/contact" variant="outline">
            Contact
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}

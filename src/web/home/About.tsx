import { aboutPicture } from '../../shared/brandPictures.gen';
import { ButtonLink } from '../ui/ButtonLink';
import { FormattedText } from '../ui/FormattedText';
import { Heading } from '../ui/Heading';
import { Picture } from '../ui/Picture';
import { useShopFacts } from '../ui/shopFacts';
import styles from './About.module.css';

/** The target of About in the header. */
export function About() {
  const { aboutHtml } = useShopFacts();
  return (
    <section id="about" className={`wrap ${styles['about']}`}>
      <figure>
        {/* its description is of the initial shop */}
        <Picture
          isDecoration={aboutHtml !== undefined}
          picture={aboutPicture}
          sizes="(min-width: 1024px) 594px, 100vw"
          ratio={0.75}
        />
      </figure>
      <div className={styles['copy']}>
        <Heading as="h2" textStyle="h1">
          About Us
        </Heading>
        {aboutHtml === undefined ? (
          <>
            <p className={`text-lead muted ${styles['lead']}`}>
              We are a Gambian-owned shop for savory seasonings and spices.
            </p>
            <p className="muted">
              Home cooks and professional chefs cook from the same jars. Browse, build a cart, and check any product
              right in your kitchen, even without a signal.
            </p>
          </>
        ) : (
          <FormattedText className={`muted ${styles['own']}`} html={aboutHtml} />
        )}
        <div>
          <ButtonLink to="/contact" variant="outline">
            Contact
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}

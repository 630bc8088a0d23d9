import { contactSays } from '../../shared/contact';
import { Heading } from '../ui/Heading';
import { PageMeta } from '../ui/PageMeta';
import { ContactForm } from './ContactForm';
import styles from './ContactPage.module.css';
import { ContactWays } from './ContactWays';

/** Who to reach, and the form. */
export function ContactPage() {
  return (
    <div className={`wrap ${styles['page']}`}>
      <PageMeta title="Contact" description={contactSays.intro} path="/contact" />
      <div className={styles['about']}>
        <Heading as="h1" textStyle="h1" tabIndex={-1}>
          Contact
        </Heading>
        <p className="text-lead muted">{contactSays.intro}</p>
        <ContactWays className={styles['ways']} />
      </div>
      <ContactForm />
    </div>
  );
}

import { contactFormMessages } from '../../shared/contact';
import { Heading } from '../ui/Heading';
import { PageMeta } from '../ui/PageMeta';
import { useShopFacts } from '../ui/shopFacts';
import { ContactForm } from './ContactForm';
import styles from './ContactPage.module.css';
import { ContactWays } from './ContactWays';

/** The owner's contact details and the form. */
export function ContactPage() {
  const { aboutHtml } = useShopFacts();
  const intro = aboutHtml === undefined ? contactFormMessages.intro : contactFormMessages.introOfOwn;
  return (
    <div className={`wrap ${styles['page']}`}>
      <PageMeta title="Contact" description={intro} path="/contact" />
      <div className={styles['about']}>
        <Heading as="h1" textStyle="h1" tabIndex={-1}>
          Contact
        </Heading>
        <p className="text-lead muted">{intro}</p>
        <ContactWays className={styles['ways']} />
      </div>
      <ContactForm />
    </div>
  );
}

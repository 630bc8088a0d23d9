import styles from './FormattedText.module.css';

/** A text of the owner. @param html from the server, whose renderer lets only a few elements through */
export const FormattedText = ({ html, className = '' }: { html: string; className?: string | undefined }) => (
  <div className={`${styles['text']} ${className}`} dangerouslySetInnerHTML={{ __html: html }} />
);

import { heroPicture } from '../../shared/brandPictures.gen';
import { CategoryLinks } from '../catalog/core/CategoryLinks';
import { atAmpersand } from '../ui/Brand';
import { Heading } from '../ui/Heading';
import { Picture } from '../ui/Picture';
import { useShopFacts } from '../ui/shopFacts';
import styles from './Hero.module.css';
import hull from './Hull.module.css';

const initialText = 'Flavor your world with our savory sensations!';

/** The title on indigo, the photograph, and links to the categories. */
export function Hero() {
  const { name, bannerTitle = name, bannerText = initialText } = useShopFacts();
  const [start, word, rest] = atAmpersand(bannerTitle);
  return (
    <section className={styles['hero']}>
      <div className={styles['picture']}>
        <Picture picture={heroPicture} sizes="(min-width: 1024px) 56vw, 100vw" ratio={0.5} isFirst isDecoration />
      </div>
      <div className="wrap">
        <div className={styles['text']}>
          <Heading as="h1" textStyle="display" tabIndex={-1}>
            {start}
            {word && (
              <span className={styles['together']}>
                <span className={styles['ampersand']}>&amp;</span>
                {word}
              </span>
            )}
            {rest}
          </Heading>
          {bannerText && <p className={`text-lead ${styles['lead']}`}>{bannerText}</p>}
          <div className={styles['ways']}>
            <CategoryLinks classNames={[styles['light'], styles['night']]} />
          </div>
        </div>
      </div>
      <Hull />
    </section>
  );
}

/**
 * The painted gunwale of a Gambian fishing boat: three bands that rise to the bow, with the background between them.
 */
function Hull() {
  return (
    <svg className={hull['hull']} viewBox="0 0 1440 150" preserveAspectRatio="none" aria-hidden="true">
      <path className={hull['crimson']} d={edge(-22)} />
      <path className={hull['ground']} d={edge(-2)} />
      <path className={hull['gold']} d={edge(3)} />
      <path className={hull['ground']} d={edge(14)} />
      <path className={hull['indigo']} d={edge(19)} />
      <path className={hull['ground']} d={edge(23)} />
    </svg>
  );
}

/** The area below one painted edge. */
const edge = (y: number) => `M0 ${64 + y} C 400 ${118 + y} 940 ${126 + y} 1440 ${24 + y} V170 H0 Z`;

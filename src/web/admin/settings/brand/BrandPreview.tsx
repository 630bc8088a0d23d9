import { useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { defaultShop } from '../../../../shared/brand';
import { accentOf, brandPalettes, initialPalette, type PaletteName } from '../../../../shared/brandPalettes';
import { heroPicture } from '../../../../shared/brandPictures.gen';
import type { Settings } from '../../../../shared/settingFields';
import brandStyles from '../../../ui/Brand.module.css';
import { Heading } from '../../../ui/Heading';
import { Picture } from '../../../ui/Picture';
import form from '../../ui/form.module.css';
import { logoQuery } from '../queries';
import styles from './BrandPreview.module.css';

/** The top of the home page on a phone, with what is typed. Hidden from screen readers: the fields say the same. */
export function BrandPreview({ values }: { values: Settings }) {
  const { data: logo } = useQuery(logoQuery());
  const { shopName, bannerTitle, bannerText, aboutText, palette } = values;
  return (
    <section className={form['box']} aria-label="Preview">
      <Heading as="h2" textStyle="h3" className={form['heading']}>
        Preview
      </Heading>
      <div className={styles['phone']} style={colorsOf(palette)} aria-hidden="true">
        <p className={styles['top']}>
          <span className={brandStyles['lid']}>{logo ? <img {...logo} alt="" /> : '&'}</span>
          <span className={styles['name']}>{shopName}</span>
        </p>
        <Picture picture={heroPicture} sizes="380px" ratio={0.5} isDecoration className={styles['photo']} />
        <div className={styles['banner']}>
          <p className={styles['title']}>{bannerTitle === defaultShop.name ? shopName : bannerTitle}</p>
          {bannerText && <p>{bannerText}</p>}
        </div>
        <div className={styles['about']}>
          <p className={styles['button']}>Add to cart</p>
          <p>
            <b>About Us</b>
          </p>
          <p className={styles['lines']}>{aboutText}</p>
        </div>
      </div>
    </section>
  );
}

/** Those of a light screen. */
const colorsOf = (typed: string) => {
  const palette: PaletteName = typed in brandPalettes ? (typed as PaletteName) : initialPalette;
  return { '--c-colors-wonjo-600': accentOf(palette) } as CSSProperties;
};

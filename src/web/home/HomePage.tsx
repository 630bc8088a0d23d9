import { heroPicture } from '../../shared/brandPictures.gen';
import { PageMeta } from '../ui/PageMeta';
import { useShopFacts } from '../ui/shopFacts';
import { About } from './About';
import { CategoryTiles } from './CategoryTiles';
import { Hero } from './Hero';
import { ProductShelf } from './ProductShelf';

/** For search engines, until the owner writes About Us. */
const initialDescription =
  'A Gambian-owned shop for savory seasonings and spices. Browse, fill your cart, and get it all delivered to your door.';

export function HomePage() {
  const { name, description = initialDescription, aboutHtml } = useShopFacts();
  const picture = aboutHtml === undefined ? heroPicture : { ...heroPicture, alt: name };
  return (
    <>
      <PageMeta description={description} path="/" picture={picture} />
      <Hero />
      <CategoryTiles />
      <ProductShelf />
      <About />
    </>
  );
}

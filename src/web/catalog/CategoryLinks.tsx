import { ButtonLink } from '../ui/ButtonLink';

/** The way on from what is empty: the shop's two first categories. */
export function CategoryLinks() {
  return (
    <>
      <ButtonLink to="/products/$category" params={{ category: 'savory' }} size="lg">
        <span className="cap">savory</span>
      </ButtonLink>
      <ButtonLink to="/products/$category" params={{ category: 'spices' }} size="lg" variant="outline">
        <span className="cap">spices</span>
      </ButtonLink>
    </>
  );
}

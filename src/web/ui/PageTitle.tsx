import { useShopFacts } from './shopFacts';

/** The title of the tab: the page's own and the shop's name. React moves it into the head. */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} | ${useShopFacts().name}`}</title>;
}

import { useRouter } from '@tanstack/react-router';
import { useShopFacts } from './shopFacts';

interface Props {
  /** Without the shop's name; the home page has none. */
  title?: string | undefined;
  description: string;
  /** The page's own address, without what only filters or counts it. */
  path: string;
  picture?: { base: string; widths: readonly number[]; alt: string } | null | undefined;
  type?: 'website' | 'product';
  /** What the page is about, in the words of schema.org. */
  data?: readonly object[];
  /** Shown to people, but not to be found by search engines. */
  isHidden?: boolean;
}

/** What search engines and link previews read of a public page. React moves the tags into the head. */
export function PageMeta({ title, description, path, picture, type = 'website', data = [], isHidden = false }: Props) {
  const { origin } = useRouter();
  const { name: shopName } = useShopFacts();
  const fullTitle = title === undefined ? shopName : `${title} | ${shopName}`;
  const url = origin + path;
  return (
    <>
      <title>{fullTitle}</title>
      <meta name="description" content={description} />
      {isHidden ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={url} />}
      <meta property="og:title" content={title ?? shopName} />
      <meta property="og:description" content={description} />
      <meta property="og:type" content={type} />
      <meta property="og:url" content={url} />
      <meta property="og:site_name" content={shopName} />
      {picture && <meta property="og:image" content={origin + sharedFile(picture)} />}
      {picture && <meta property="og:image:alt" content={picture.alt} />}
      {data.map((thing, index) => (
        <DataBlock key={index} thing={thing} />
      ))}
    </>
  );
}

/** A block of data, which no browser runs. */
function DataBlock({ thing }: { thing: object }) {
  const json = inlineJson({ '@context': 'https://schema.org', ...thing });
  return <script type="application/ld+json" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: json }} />;
}

const widestShared = 1280;

/** The file of a picture that others show: large, and in a format that they all know. */
export function sharedFile({ base, widths }: { base: string; widths: readonly number[] }): string {
  const width = Math.max(...widths.filter((width) => width <= widestShared), Math.min(...widths));
  return `${base}-${width}.webp`;
}

/** The way from the home page to this one. @param steps each with its address; the last one is the page itself */
export const breadcrumbs = (origin: string, steps: readonly { name: string; path: string }[]) => ({
  '@type': 'BreadcrumbList',
  itemListElement: [{ name: 'Home', path: '/' }, ...steps].map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: origin + path,
  })),
});

/** The title of the tab: the page's own and the shop's name. React moves it into the head. */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} | ${useShopFacts().name}`}</title>;
}

/** JSON that may stand between script tags: what people wrote cannot end the block early. */
export const inlineJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

import { useRouter } from '@tanstack/react-router';
import { useShopFacts } from './shopFacts';

interface Props {
  /** Without the shop's name; omitted on the home page. */
  title?: string | undefined;
  description: string;
  /** The page's canonical path, without filter and page parameters. */
  path: string;
  picture?: { base: string; widths: readonly number[]; alt: string } | null | undefined;
  type?: 'website' | 'product';
  /** Structured data (schema.org). */
  data?: readonly object[];
  /** Excluded from search engines. */
  isHidden?: boolean;
}

/** Metadata of a public page for search engines and link previews. React moves the tags into the head. */
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

/** A data block, which browsers don't execute. */
function DataBlock({ thing }: { thing: object }) {
  const json = inlineJson({ '@context': 'https://schema.org', ...thing });
  return <script type="application/ld+json" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: json }} />;
}

const widestShared = 1280;

/** The file of a picture for link previews: large, in a widely supported format. */
export function sharedFile({ base, widths }: { base: string; widths: readonly number[] }): string {
  const width = Math.max(...widths.filter((width) => width <= widestShared), Math.min(...widths));
  return `${base}-${width}.webp`;
}

/** The path from the home page to this page. @param steps each with its URL; the last one is the page itself */
export const breadcrumbs = (origin: string, steps: readonly { name: string; path: string }[]) => ({
  '@type': 'BreadcrumbList',
  itemListElement: [{ name: 'Home', path: '/' }, ...steps].map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: origin + path,
  })),
});

/** The browser tab's title: the page's title and the shop's name. React moves it into the head. */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} | ${useShopFacts().name}`}</title>;
}

/** JSON that is safe inside a script element: user content can't close the element. */
export const inlineJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

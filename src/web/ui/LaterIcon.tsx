import type { ReactElement } from 'react';
import { Drawing, Icon, type IconName } from './Icon';

/** Icons loaded later, to keep them out of the first load. */
const drawings = {
  clock: (
    <>
      <circle cx="10" cy="10" r="7" />
      <path d="M10 6v4.3l2.8 1.7" />
    </>
  ),
  dots: <path d="M10 4.5v.01M10 10v.01M10 15.5v.01" strokeWidth="2.4" />,
  desk: <path d="M2.5 4h15v9h-15zM7 17h6M10 13v4" />,
  download: <path d="M10 3v10M5.5 9 10 13.5 14.5 9M3.5 17h13" />,
  down: <path d="M10 4v12M5 11l5 5 5-5" />,
  duplicate: <path d="M3.5 3.5h13v13h-13zM10 7v6M7 10h6" />,
  edit: <path d="M12.5 4.5l3 3L7 16H4v-3zM11 6l3 3" />,
  erase: <path d="M7 4.5h10v11H7L2.5 10zM9.5 8l4 4M13.5 8l-4 4" />,
  eye: (
    <>
      <path d="M2 10s3-5.5 8-5.5S18 10 18 10s-3 5.5-8 5.5S2 10 2 10z" />
      <circle cx="10" cy="10" r="2.3" />
    </>
  ),
  first: <path d="M10 17V7M5 12l5-5 5 5M4 3.5h12" />,
  grip: <path d="M7.5 5v.01M12.5 5v.01M7.5 10v.01M12.5 10v.01M7.5 15v.01M12.5 15v.01" strokeWidth="2.4" />,
  history: <path d="M4 3h12v14H4zM7 7h6M7 10h6M7 13h4" />,
  info: (
    <>
      <circle cx="10" cy="10" r="7.2" />
      <path d="M10 9v4.5M10 6.4v.01" />
    </>
  ),
  list: <path d="M8 5h9M8 10h9M8 15h9M3.2 5l.8.8 1.5-1.6M3.2 10l.8.8 1.5-1.6M3.2 15l.8.8 1.5-1.6" />,
  logout: <path d="M8 3.5H4v13h4M8.5 10H17M13.5 6.5 17 10l-3.5 3.5" />,
  next: <path d="m8 5 5 5-5 5" />,
  previous: <path d="m12 5-5 5 5 5" />,
  minus: <path d="M4 10h12" />,
  pin: (
    <>
      <path d="M10 18s6-5.5 6-10a6 6 0 0 0-12 0c0 4.5 6 10 6 10z" />
      <circle cx="10" cy="8" r="2.2" />
    </>
  ),
  printer: <path d="M6 7V3h8v4M6 14H3.5V7h13v7H14M6 12h8v5H6z" />,
  sun: (
    <>
      <circle cx="10" cy="10" r="3.4" />
      <path d="M10 2.5v1.8M10 15.7v1.8M2.5 10h1.8M15.7 10h1.8M4.7 4.7 6 6M14 14l1.3 1.3M15.3 4.7 14 6M6 14l-1.3 1.3" />
    </>
  ),
  sync: <path d="M16.5 8A7 7 0 0 0 4 6.5M3.5 3v4h4M3.5 12A7 7 0 0 0 16 13.5M16.5 17v-4h-4" />,
  truck: (
    <>
      <path d="M2 5h9.5v9H2zM11.5 8H15l3 3v3h-6.5" />
      <circle cx="6" cy="15" r="1.7" />
      <circle cx="14.5" cy="15" r="1.7" />
    </>
  ),
  soundOff: <path d="M3 8v4h3l4 3.5v-11L6 8zM13 8l4 4M17 8l-4 4" />,
  soundOn: <path d="M3 8v4h3l4 3.5v-11L6 8zM13 7.5a3.5 3.5 0 0 1 0 5M15 5a7 7 0 0 1 0 10" />,
  trash: <path d="M3.5 5.5h13M8 5V3.5h4V5M5 5.5l.8 11h8.4l.8-11M8.5 9v4.5M11.5 9v4.5" />,
  up: <path d="M10 16V4M5 9l5-5 5 5" />,
  undo: <path d="M7 5 3.5 8.5 7 12M3.5 8.5H12a4.5 4.5 0 0 1 0 9H9" />,
} satisfies Record<string, ReactElement>;

export type LaterIconName = IconName | keyof typeof drawings;
export const laterIconNames = () => Object.keys(drawings) as (keyof typeof drawings)[];

/** Any icon of the storefront. */
export function LaterIcon({ name, size = 20 }: { name: LaterIconName; size?: number }) {
  if (!isLater(name)) return <Icon name={name} size={size} />;
  return <Drawing size={size}>{drawings[name]}</Drawing>;
}

const isLater = (name: LaterIconName): name is keyof typeof drawings => name in drawings;

import type { ReactElement } from 'react';
import { Drawing, Icon, type IconName } from './Icon';

/** Drawings of what is loaded later, so that the first load does not carry them. */
const drawings = {
  box: <path d="M3 6.5 10 3l7 3.5v7L10 17l-7-3.5zM3 6.5l7 3.5 7-3.5M10 10v7" />,
  clock: (
    <>
      <circle cx="10" cy="10" r="7" />
      <path d="M10 6v4.3l2.8 1.7" />
    </>
  ),
  desk: <path d="M2.5 4h15v9h-15zM7 17h6M10 13v4" />,
  download: <path d="M10 3v10M5.5 9 10 13.5 14.5 9M3.5 17h13" />,
  edit: <path d="M12.5 4.5l3 3L7 16H4v-3zM11 6l3 3" />,
  eye: (
    <>
      <path d="M2 10s3-5.5 8-5.5S18 10 18 10s-3 5.5-8 5.5S2 10 2 10z" />
      <circle cx="10" cy="10" r="2.3" />
    </>
  ),
  info: (
    <>
      <circle cx="10" cy="10" r="7.2" />
      <path d="M10 9v4.5M10 6.4v.01" />
    </>
  ),
  logout: <path d="M8 3.5H4v13h4M8.5 10H17M13.5 6.5 17 10l-3.5 3.5" />,
  minus: <path d="M4 10h12" />,
  pin: (
    <>
      <path d="M10 18s6-5.5 6-10a6 6 0 0 0-12 0c0 4.5 6 10 6 10z" />
      <circle cx="10" cy="8" r="2.2" />
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
  trash: <path d="M3.5 5.5h13M8 5V3.5h4V5M5 5.5l.8 11h8.4l.8-11M8.5 9v4.5M11.5 9v4.5" />,
} satisfies Record<string, ReactElement>;

export type LaterIconName = IconName | keyof typeof drawings;

/** Any of the storefront's drawings. */
export function LaterIcon({ name, size = 20 }: { name: LaterIconName; size?: number }) {
  if (!isLater(name)) return <Icon name={name} size={size} />;
  return <Drawing size={size}>{drawings[name]}</Drawing>;
}

const isLater = (name: LaterIconName): name is keyof typeof drawings => name in drawings;

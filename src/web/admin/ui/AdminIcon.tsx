import type { ReactElement } from 'react';
import { Drawing } from '../../ui/Icon';
import { LaterIcon, type LaterIconName } from '../../ui/LaterIcon';

/** Icons that only the back office uses, so that no storefront page loads them. */
const drawings = {
  bell: <path d="M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13zM8.5 17.5h3" />,
  bellOff: <path d="M5 14V9a5 5 0 0 1 7.5-4.3M15 9.5V14l1.5 1.5h-13L5 14M8.5 17.5h3M3 3l14 14" />,
  bold: <path d="M6 4h5a3 3 0 0 1 0 6H6zM6 10h6a3 3 0 0 1 0 6H6z" />,
  card: <path d="M2.5 4.5h15v11h-15zM2.5 8h15M5.5 12.5h3" />,
  chart: <path d="M3 17h14M5.5 17v-6M10 17V4M14.5 17V8" />,
  dots: <path d="M10 4.5v.01M10 10v.01M10 15.5v.01" strokeWidth="2.6" />,
  grid: <path d="M3 3h5.5v5.5H3zM11.5 3H17v5.5h-5.5zM3 11.5h5.5V17H3zM11.5 11.5H17V17h-5.5z" />,
  grip: <path d="M7.5 5v.01M12.5 5v.01M7.5 10v.01M12.5 10v.01M7.5 15v.01M12.5 15v.01" strokeWidth="2.4" />,
  heading: <path d="M5 4v12M15 4v12M5 10h10" />,
  history: <path d="M4 3.5h12v13H4zM7 7.5h6M7 10.5h6M7 13.5h3.5" />,
  image: (
    <>
      <path d="M3 4h14v12H3zM3 13l4-4 4 4 2.5-2.5L17 14" />
      <circle cx="13" cy="7.5" r="1.2" />
    </>
  ),
  info: (
    <>
      <circle cx="10" cy="10" r="7.5" />
      <path d="M10 9v5M10 6.2v.01" />
    </>
  ),
  italic: <path d="M12.5 4H9M11 16H7.5M11 4 9 16" />,
  link: (
    <path d="M8.5 11.5a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2l-1 1M11.5 8.5a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2l1-1" />
  ),
  page: <path d="M5 2.5h7L15.5 6v11.5H5zM12 2.5V6h3.5M7.5 10h5M7.5 13.5h5" />,
  settings: (
    <>
      <circle cx="7" cy="6" r="2" />
      <circle cx="13" cy="14" r="2" />
      <path d="M2.5 6H5M9 6h8.5M2.5 14H11M15 14h2.5" />
    </>
  ),
  outbox: <path d="M17.5 2.5 9 11M17.5 2.5l-5.5 15L9 11 2.5 8z" />,
  pause: <path d="M7 4.5v11M13 4.5v11" strokeWidth="2.4" />,
  percent: (
    <>
      <path d="M15.5 4.5l-11 11" />
      <circle cx="6" cy="6" r="2.2" />
      <circle cx="14" cy="14" r="2.2" />
    </>
  ),
  play: <path d="M6 4v12l9.5-6z" />,
  printer: <path d="M5.5 7V2.5h9V7M5.5 14.5H2.5V7h15v7.5h-3M5.5 11.5h9v6h-9z" />,
  pulse: <path d="M2.5 10H6l2-5 3.5 10 2.2-5h3.8" />,
  shield: <path d="M10 2.5 16.5 5v5c0 4-2.5 6.3-6.5 7.5C6 16.3 3.5 14 3.5 10V5z" />,
  shop: <path d="M3.5 8v9h13V8M2.5 8l1.5-5h12l1.5 5zM8 17v-5h4v5" />,
  sort: <path d="M6 4v12M3 13l3 3 3-3M14 16V4M11 7l3-3 3 3" />,
  tag: <path d="M3 3h7l7.5 7.5-7 7L3 10zM6.7 6.7v.01" />,
  tax: <path d="M4 3h12v14.5l-2.4-1.5-1.8 1.5-1.8-1.5-1.8 1.5L6.4 16 4 17.5zM7.5 7h.01M12.5 11h.01M12.5 6.5l-5 5" />,
  truck: (
    <>
      <path d="M2 5h9.5v9H2zM11.5 8H15l3 3v3h-6.5" />
      <circle cx="6" cy="15" r="1.7" />
      <circle cx="14.5" cy="15" r="1.7" />
    </>
  ),
  upload: <path d="M10 14V4M5.5 8.5 10 4l4.5 4.5M3.5 17h13" />,
  users: (
    <>
      <circle cx="7.5" cy="7" r="3" />
      <path d="M2 16.5c.5-3 2.5-4.5 5.5-4.5s5 1.5 5.5 4.5M13 4.3a3 3 0 0 1 0 5.4M15 12.3c1.8.6 2.8 2 3 4.2" />
    </>
  ),
} satisfies Record<string, ReactElement>;

export type AdminIconName = LaterIconName | keyof typeof drawings;

/** Any icon of the shop, or one of the back office. */
export function AdminIcon({ name, size = 20 }: { name: AdminIconName; size?: number }) {
  if (!isOwn(name)) return <LaterIcon name={name} size={size} />;
  return <Drawing size={size}>{drawings[name]}</Drawing>;
}

const isOwn = (name: AdminIconName): name is keyof typeof drawings => name in drawings;

import type { ReactElement } from 'react';

/** The icons of the first load: on a 20 px grid, drawn with one stroke width. For the others see LaterIcon. */
const drawings = {
  alert: <path d="M10 3 2.5 16.5h15zM10 8v4M10 14.3v.01" />,
  basket: (
    <path d="M2.5 8h15l-1.4 8.2a1.5 1.5 0 0 1-1.5 1.3H5.4a1.5 1.5 0 0 1-1.5-1.3zM6.5 8 9 2.5M13.5 8 11 2.5M7.8 11.2v3M12.2 11.2v3" />
  ),
  box: <path d="M3 6.5 10 3l7 3.5v7L10 17l-7-3.5zM3 6.5l7 3.5 7-3.5M10 10v7" />,
  check: <path d="m4 10.5 4 4 8-9" />,
  chevronDown: <path d="m5 8 5 5 5-5" />,
  chevronUp: <path d="m5 12 5-5 5 5" />,
  cloudOff: <path d="M2.5 3 17 17M6 8.2A3.8 3.8 0 0 0 6 16h8M8.5 6A4.5 4.5 0 0 1 15 9.5a3.2 3.2 0 0 1 2 5.2" />,
  cross: <path d="m5 5 10 10M15 5 5 15" />,
  exclamation: <path d="M10 4.5v7M10 15v.01" />,
  filters: <path d="M3 6.5h14M3 13.5h14M7 4.5v4M13 11.5v4" />,
  home: <path d="M3 9 10 3l7 6v8h-4.5v-5h-5v5H3z" />,
  jar: (
    <path d="M5.5 3h9v3h-9zM6 6c-1 1-1.5 2-1.5 3.5V16A1.5 1.5 0 0 0 6 17.5h8a1.5 1.5 0 0 0 1.5-1.5V9.5C15.5 8 15 7 14 6M4.5 11h11" />
  ),
  leaf: <path d="M4 16c0-8 4-12 13-12 0 9-4 13-11 12M4 17c1.5-4 4-6 7.5-7.5" />,
  left: <path d="M16 10H4M9 5l-5 5 5 5" />,
  lock: <path d="M4.5 9h11v8h-11zM7 9V6.5a3 3 0 0 1 6 0V9" />,
  mail: <path d="M2.5 4.5h15v11h-15zM3 5l7 6 7-6" />,
  phone: <path d="M4 3h3.5l1.5 4-2 1.5a9 9 0 0 0 4.5 4.5L13 11l4 1.5V16a1 1 0 0 1-1 1C9 17 3 11 3 4a1 1 0 0 1 1-1z" />,
  plus: <path d="M10 4v12M4 10h12" />,
  right: <path d="M4 10h12M11 5l5 5-5 5" />,
  search: (
    <>
      <circle cx="9" cy="9" r="6" />
      <path d="M13.5 13.5 18 18" />
    </>
  ),
  user: (
    <>
      <circle cx="10" cy="7" r="3.5" />
      <path d="M3.5 17.5c.8-3.5 3.3-5 6.5-5s5.7 1.5 6.5 5" />
    </>
  ),
} satisfies Record<string, ReactElement>;

export type IconName = keyof typeof drawings;
export const iconNames = () => Object.keys(drawings) as IconName[];

/** A decorative icon beside text with the same meaning: screen readers skip it. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return <Drawing size={size}>{drawings[name]}</Drawing>;
}

export function Drawing({ size, children }: { size: number; children: ReactElement }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

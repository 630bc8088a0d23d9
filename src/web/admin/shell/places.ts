import type { ComponentType } from 'react';
import { HealthDot } from '../health/HealthDot';
import type { AdminIconName } from '../ui/AdminIcon';
import type { AdminPath } from './pages';

export interface AdminPlace {
  to: `/${AdminPath}`;
  label: string;
  /** The label in a phone's tab bar. */
  shortLabel: string;
  icon: AdminIconName;
  /** Other URLs for which this entry is marked as current. */
  also?: RegExp;
  /** Stands beside the label. */
  Mark?: ComponentType;
  /** Only the owner may see it. Rule: docs/rules/back-office.md, Routes */
  isForOwner?: true;
}

/** The five main links of the sidebar. Rule: docs/rules/back-office.md, Shell */
export const mainPlaces: readonly AdminPlace[] = [
  { to: '/dashboard', label: 'Dashboard', shortLabel: 'Dashboard', icon: 'grid' },
  {
    to: '/products',
    label: 'Products',
    shortLabel: 'Products',
    icon: 'jar',
    also: /^\/(?:(?:new|view|update)\/product(?!\/category)|admin\/products\/)/,
  },
  {
    to: '/product/category',
    label: 'Categories',
    shortLabel: 'Category',
    icon: 'tag',
    also: /^\/(?:new|view|update)\/product\/category/,
  },
  {
    to: '/user/management',
    label: 'Users',
    shortLabel: 'Users',
    icon: 'users',
    also: /^\/(?:new\/user|admin\/view\/user)/,
  },
  { to: '/ordered/products', label: 'Orders', shortLabel: 'Orders', icon: 'truck', also: /^\/admin\/orders/ },
];

/** The second group. Rule: docs/rules/back-office.md, Shell */
export const sellingPlaces: readonly AdminPlace[] = [
  {
    to: '/admin/reports',
    label: 'Reports',
    shortLabel: 'Reports',
    icon: 'chart',
    also: /^\/admin\/reports\//,
  },
  {
    to: '/admin/discounts',
    label: 'Discounts',
    shortLabel: 'Discounts',
    icon: 'percent',
    also: /^\/admin\/discounts\//,
  },
];

/** The third group. Rule: docs/rules/back-office.md, Shell */
export const morePlaces: readonly AdminPlace[] = [
  { to: '/admin/holds', label: 'Reserved stock', shortLabel: 'Reserved', icon: 'lock' },
  { to: '/admin/messages', label: 'Messages', shortLabel: 'Messages', icon: 'mail' },
  { to: '/admin/mail', label: 'Email log', shortLabel: 'Emails', icon: 'outbox', isForOwner: true },
  { to: '/admin/audit', label: 'Audit log', shortLabel: 'Audit', icon: 'history' },
  { to: '/admin/health', label: 'Health', shortLabel: 'Health', icon: 'pulse', Mark: HealthDot, isForOwner: true },
  {
    to: '/admin/settings',
    label: 'Settings',
    shortLabel: 'Settings',
    icon: 'settings',
    also: /^\/admin\/(?:settings\/|pages\/|(?:delivery|tax|pages)$)/,
  },
];

export const isAt = ({ to, also }: AdminPlace, path: string): boolean => path === to || (also?.test(path) ?? false);

/** Whether only the owner may see the page at the path, including pages below it. */
export const isForOwner = (path: string): boolean =>
  [...mainPlaces, ...sellingPlaces, ...morePlaces].some(
    (place) => place.isForOwner && (isAt(place, path) || path.startsWith(`${place.to}/`)),
  );

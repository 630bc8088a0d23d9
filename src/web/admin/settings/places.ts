import type { ComponentType } from 'react';
import type { StepName } from '../../../shared/goLive';
import type { Settings, SettingSection } from '../../../shared/settingFields';
import { lazyPart } from '../../ui/lazyPart';
import type { AdminIconName } from '../ui/AdminIcon';

/** A page of the settings: its card in the hub, its entry beside the other pages, and its content. */
export interface SettingsPlace {
  /** `/admin/settings/{name}` needs no route of its own: SettingsPlacePage shows it. */
  to: string;
  label: string;
  /** What is set there; on its card. */
  about: string;
  icon: AdminIconName;
  /** Its settings from the table of settings; as a form, unless the page has a route of its own. */
  section?: SettingSection;
  /** Beside the form: what its values look like while they are typed. */
  Beside?: ComponentType<{ values: Settings }>;
  /** Above the form: what is saved by itself. */
  Above?: ComponentType;
  /** Its content below the form, or without one. */
  Content?: ComponentType;
  /** The step before the first sale that is done there: its card says how it is. */
  step?: StepName;
  /** Only the owner may see it. */
  isForOwner?: true;
}

/** In the order of the hub. Rule: docs/rules/back-office.md, Settings */
export const settingsPlaces: readonly SettingsPlace[] = [
  {
    to: '/admin/settings/general',
    label: 'General',
    about: 'Name, contact, time zone, units',
    icon: 'shop',
    section: 'General',
    step: 'contact',
  },
  {
    to: '/admin/settings/brand',
    label: 'Brand',
    about: 'Logo, colors, home page, store address',
    icon: 'image',
    section: 'Brand',
    Beside: lazyPart(() => import('./brand/BrandPreview'), 'BrandPreview'),
    Above: lazyPart(() => import('./brand/Logo'), 'Logo'),
    step: 'brand',
  },
  {
    to: '/admin/settings/email',
    label: 'Email',
    about: 'Mail server, sender, test email',
    icon: 'mail',
    Content: lazyPart(() => import('./Email'), 'Email'),
    step: 'mail',
    isForOwner: true,
  },
  {
    to: '/admin/settings/payments',
    label: 'Payments',
    about: 'Keys, webhook, test or live',
    icon: 'card',
    Content: lazyPart(() => import('./Payments'), 'Payments'),
    step: 'payments',
    isForOwner: true,
  },
  { to: '/admin/delivery', label: 'Delivery', about: 'Methods, prices, states', icon: 'truck', step: 'delivery' },
  {
    to: '/admin/tax',
    label: 'Sales tax',
    about: 'Rates by state, tax collected',
    icon: 'percent',
    section: 'Sales tax',
    step: 'tax',
  },
  { to: '/admin/pages', label: 'Pages', about: 'Policies, answers, other texts', icon: 'page', step: 'policies' },
  {
    to: '/admin/settings/checkout',
    label: 'Checkout',
    about: 'Limits for new customers',
    icon: 'basket',
    section: 'Checkout',
  },
  { to: '/admin/settings/staff', label: 'Staff', about: 'Two-step login', icon: 'users', section: 'Staff' },
  {
    to: '/admin/settings/backups',
    label: 'Backups',
    about: 'Every night, download, restore',
    icon: 'shield',
    Content: lazyPart(() => import('./Backups'), 'Backups'),
    step: 'backup',
    isForOwner: true,
  },
  {
    to: '/admin/settings/go-live',
    label: 'Go live',
    about: 'What must be true before the first sale',
    icon: 'check',
    Content: lazyPart(() => import('../goLive/GoLive'), 'GoLive'),
  },
  {
    to: '/admin/settings/about',
    label: 'About',
    about: 'Version, what changed',
    icon: 'info',
    Content: lazyPart(() => import('./WhatChanged'), 'WhatChanged'),
  },
];

/** The pages that a role may see. */
export const settingsPlacesOf = (isOwner: boolean): SettingsPlace[] =>
  settingsPlaces.filter(({ isForOwner }) => isOwner || !isForOwner);

import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../../shared/contract';
import { categoriesQuery } from './queries';

type Category = Pick<Schema<'Category'>, 'name' | 'title' | 'picture'>;

/** The two that are always there: shown before the server has answered, and when it does not. Source: decisions §4 */
const firstCategories: readonly Category[] = [
  { name: 'savory', title: null },
  { name: 'spices', title: null },
];

/** @returns all categories, the first ones first */
export function useCategories(): readonly Category[] {
  const { data = firstCategories } = useQuery(categoriesQuery);
  return data;
}

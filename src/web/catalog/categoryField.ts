import styles from './categoryField.module.css';

/** @returns the class with the colour of a category's banner and tile: gold, crimson, and a quiet one for all later */
export function categoryField(categoryName: string): string {
  return styles[categoryName === 'savory' || categoryName === 'spices' ? categoryName : 'other'] ?? '';
}

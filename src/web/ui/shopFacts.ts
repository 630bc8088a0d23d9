import { createContext, useContext } from 'react';
import { defaultShop } from '../../shared/brand';

/** What the owner calls the shop, and how to reach the owner. */
export const ShopFacts = createContext(defaultShop);
export const useShopFacts = () => useContext(ShopFacts);

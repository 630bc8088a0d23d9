import { createContext, useContext } from 'react';
import { defaultShop } from '../../shared/brand';

/** The shop's name and contact details. */
export const ShopFacts = createContext(defaultShop);
export const useShopFacts = () => useContext(ShopFacts);

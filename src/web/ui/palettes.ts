import { values } from './tokens';

// the brand's colors, each from light to dark

const gray = values({
  50: '#FAF9F6',
  100: '#F3F1EB',
  200: '#E8E4DA',
  300: '#D6D0C3',
  400: '#B3AC9F',
  500: '#777067',
  600: '#5F5952',
  700: '#47423F',
  800: '#2F2B30',
  900: '#1F1B28',
  950: '#14121D',
});
const wonjo = values({
  50: '#FDF2F5',
  100: '#FAE0E7',
  200: '#F4BFCD',
  300: '#EE98AF',
  400: '#DD6485',
  500: '#BE3360',
  600: '#9B1D48',
  700: '#7D1539',
  800: '#5F112D',
  900: '#420C20',
  950: '#2A0714',
});
const gara = values({
  50: '#F1F2FA',
  100: '#E0E2F3',
  200: '#C2C6E7',
  300: '#9DA4D7',
  400: '#757DC0',
  500: '#545BA3',
  600: '#3F4486',
  700: '#2F3268',
  800: '#21234B',
  900: '#181933',
  950: '#111122',
});
const palm = values({
  50: '#FFF8E8',
  100: '#FEEEC9',
  200: '#FBDD97',
  300: '#F6C65B',
  400: '#EEAC2A',
  500: '#D28A10',
  600: '#A5670B',
  700: '#7E4C0B',
  800: '#5C370C',
  900: '#3D240A',
  950: '#261505',
});
const leaf = values({
  50: '#F0F7F0',
  100: '#DCEEDD',
  200: '#B8DDBC',
  300: '#8CC596',
  400: '#5CA56B',
  500: '#3B8550',
  600: '#276B3C',
  700: '#1D5330',
  800: '#163F25',
  900: '#0F2B1A',
  950: '#091A10',
});
const chili = values({
  50: '#FFF3EF',
  100: '#FFE3DA',
  200: '#FFC4B2',
  300: '#FF9C80',
  400: '#F56F4B',
  500: '#D94A22',
  600: '#B23512',
  700: '#8C290F',
  800: '#67200E',
  900: '#43160A',
  950: '#290D06',
});

/** The neutral color; gray is the part that Chakra's recipes use. */
const rice = { ...gray, ...values({ 0: '#FFFFFF', 450: '#8A8378' }) };

/** The brand's names first, then Chakra's names for the same colors. */
export const palettes = {
  rice,
  wonjo,
  gara,
  palm,
  leaf,
  chili,
  gray,
  red: chili,
  orange: palm,
  yellow: palm,
  green: leaf,
  blue: gara,
  pink: wonjo,
  ...values({ white: '#FFFFFF', black: '#1F1B28' }),
};

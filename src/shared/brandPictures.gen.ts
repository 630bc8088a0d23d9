// Written by `npm run pictures`; do not edit. A file is called `${base}-${width}.avif` or `.webp`.

export const heroPicture = {
  "base": "/pictures/d0714104f13540d0",
  "width": 2400,
  "height": 1200,
  "placeholder": "#6e4a34",
  "widths": [
    640,
    1280,
    1920
  ],
  "keptBytes": {
    "avif": 14645,
    "webp": 18634
  },
  "alt": "Bowls of West African spices and seasonings on a dark wooden table"
} as const;

export const aboutPicture = {
  "base": "/pictures/c015e0c2224b6739",
  "width": 1600,
  "height": 1200,
  "placeholder": "#704e31",
  "widths": [
    640,
    1280,
    1920
  ],
  "keptBytes": {
    "avif": 36891,
    "webp": 50680
  },
  "alt": "Market-style display of spice bowls seen from above"
} as const;

// Generated design tokens: the brand (colours, type, radii, shadows), laid over the base in theme.ts. Change values in the design, not here.
import { defineConfig } from '@chakra-ui/react/styled-system';

export const brand = defineConfig({
  conditions: {
    dark: '@media (prefers-color-scheme: dark)',
  },
  theme: {
    breakpoints: {
      sm: '480px',
      md: '768px',
      lg: '1024px',
      xl: '1280px',
    },
    tokens: {
      colors: {
        rice: {
          '0': {
            value: '#FFFFFF',
          },
          '50': {
            value: '#FAF9F6',
          },
          '100': {
            value: '#F3F1EB',
          },
          '200': {
            value: '#E8E4DA',
          },
          '300': {
            value: '#D6D0C3',
          },
          '400': {
            value: '#B3AC9F',
          },
          '450': {
            value: '#8A8378',
          },
          '500': {
            value: '#777067',
          },
          '600': {
            value: '#5F5952',
          },
          '700': {
            value: '#47423F',
          },
          '800': {
            value: '#2F2B30',
          },
          '900': {
            value: '#1F1B28',
          },
          '950': {
            value: '#14121D',
          },
        },
        wonjo: {
          '50': {
            value: '#FDF2F5',
          },
          '100': {
            value: '#FAE0E7',
          },
          '200': {
            value: '#F4BFCD',
          },
          '300': {
            value: '#EE98AF',
          },
          '400': {
            value: '#DD6485',
          },
          '500': {
            value: '#BE3360',
          },
          '600': {
            value: '#9B1D48',
          },
          '700': {
            value: '#7D1539',
          },
          '800': {
            value: '#5F112D',
          },
          '900': {
            value: '#420C20',
          },
          '950': {
            value: '#2A0714',
          },
        },
        gara: {
          '50': {
            value: '#F1F2FA',
          },
          '100': {
            value: '#E0E2F3',
          },
          '200': {
            value: '#C2C6E7',
          },
          '300': {
            value: '#9DA4D7',
          },
          '400': {
            value: '#757DC0',
          },
          '500': {
            value: '#545BA3',
          },
          '600': {
            value: '#3F4486',
          },
          '700': {
            value: '#2F3268',
          },
          '800': {
            value: '#21234B',
          },
          '900': {
            value: '#181933',
          },
          '950': {
            value: '#111122',
          },
        },
        palm: {
          '50': {
            value: '#FFF8E8',
          },
          '100': {
            value: '#FEEEC9',
          },
          '200': {
            value: '#FBDD97',
          },
          '300': {
            value: '#F6C65B',
          },
          '400': {
            value: '#EEAC2A',
          },
          '500': {
            value: '#D28A10',
          },
          '600': {
            value: '#A5670B',
          },
          '700': {
            value: '#7E4C0B',
          },
          '800': {
            value: '#5C370C',
          },
          '900': {
            value: '#3D240A',
          },
          '950': {
            value: '#261505',
          },
        },
        leaf: {
          '50': {
            value: '#F0F7F0',
          },
          '100': {
            value: '#DCEEDD',
          },
          '200': {
            value: '#B8DDBC',
          },
          '300': {
            value: '#8CC596',
          },
          '400': {
            value: '#5CA56B',
          },
          '500': {
            value: '#3B8550',
          },
          '600': {
            value: '#276B3C',
          },
          '700': {
            value: '#1D5330',
          },
          '800': {
            value: '#163F25',
          },
          '900': {
            value: '#0F2B1A',
          },
          '950': {
            value: '#091A10',
          },
        },
        chili: {
          '50': {
            value: '#FFF3EF',
          },
          '100': {
            value: '#FFE3DA',
          },
          '200': {
            value: '#FFC4B2',
          },
          '300': {
            value: '#FF9C80',
          },
          '400': {
            value: '#F56F4B',
          },
          '500': {
            value: '#D94A22',
          },
          '600': {
            value: '#B23512',
          },
          '700': {
            value: '#8C290F',
          },
          '800': {
            value: '#67200E',
          },
          '900': {
            value: '#43160A',
          },
          '950': {
            value: '#290D06',
          },
        },
        gray: {
          '50': {
            value: '#FAF9F6',
          },
          '100': {
            value: '#F3F1EB',
          },
          '200': {
            value: '#E8E4DA',
          },
          '300': {
            value: '#D6D0C3',
          },
          '400': {
            value: '#B3AC9F',
          },
          '500': {
            value: '#777067',
          },
          '600': {
            value: '#5F5952',
          },
          '700': {
            value: '#47423F',
          },
          '800': {
            value: '#2F2B30',
          },
          '900': {
            value: '#1F1B28',
          },
          '950': {
            value: '#14121D',
          },
        },
        red: {
          '50': {
            value: '#FFF3EF',
          },
          '100': {
            value: '#FFE3DA',
          },
          '200': {
            value: '#FFC4B2',
          },
          '300': {
            value: '#FF9C80',
          },
          '400': {
            value: '#F56F4B',
          },
          '500': {
            value: '#D94A22',
          },
          '600': {
            value: '#B23512',
          },
          '700': {
            value: '#8C290F',
          },
          '800': {
            value: '#67200E',
          },
          '900': {
            value: '#43160A',
          },
          '950': {
            value: '#290D06',
          },
        },
        orange: {
          '50': {
            value: '#FFF8E8',
          },
          '100': {
            value: '#FEEEC9',
          },
          '200': {
            value: '#FBDD97',
          },
          '300': {
            value: '#F6C65B',
          },
          '400': {
            value: '#EEAC2A',
          },
          '500': {
            value: '#D28A10',
          },
          '600': {
            value: '#A5670B',
          },
          '700': {
            value: '#7E4C0B',
          },
          '800': {
            value: '#5C370C',
          },
          '900': {
            value: '#3D240A',
          },
          '950': {
            value: '#261505',
          },
        },
        yellow: {
          '50': {
            value: '#FFF8E8',
          },
          '100': {
            value: '#FEEEC9',
          },
          '200': {
            value: '#FBDD97',
          },
          '300': {
            value: '#F6C65B',
          },
          '400': {
            value: '#EEAC2A',
          },
          '500': {
            value: '#D28A10',
          },
          '600': {
            value: '#A5670B',
          },
          '700': {
            value: '#7E4C0B',
          },
          '800': {
            value: '#5C370C',
          },
          '900': {
            value: '#3D240A',
          },
          '950': {
            value: '#261505',
          },
        },
        green: {
          '50': {
            value: '#F0F7F0',
          },
          '100': {
            value: '#DCEEDD',
          },
          '200': {
            value: '#B8DDBC',
          },
          '300': {
            value: '#8CC596',
          },
          '400': {
            value: '#5CA56B',
          },
          '500': {
            value: '#3B8550',
          },
          '600': {
            value: '#276B3C',
          },
          '700': {
            value: '#1D5330',
          },
          '800': {
            value: '#163F25',
          },
          '900': {
            value: '#0F2B1A',
          },
          '950': {
            value: '#091A10',
          },
        },
        blue: {
          '50': {
            value: '#F1F2FA',
          },
          '100': {
            value: '#E0E2F3',
          },
          '200': {
            value: '#C2C6E7',
          },
          '300': {
            value: '#9DA4D7',
          },
          '400': {
            value: '#757DC0',
          },
          '500': {
            value: '#545BA3',
          },
          '600': {
            value: '#3F4486',
          },
          '700': {
            value: '#2F3268',
          },
          '800': {
            value: '#21234B',
          },
          '900': {
            value: '#181933',
          },
          '950': {
            value: '#111122',
          },
        },
        pink: {
          '50': {
            value: '#FDF2F5',
          },
          '100': {
            value: '#FAE0E7',
          },
          '200': {
            value: '#F4BFCD',
          },
          '300': {
            value: '#EE98AF',
          },
          '400': {
            value: '#DD6485',
          },
          '500': {
            value: '#BE3360',
          },
          '600': {
            value: '#9B1D48',
          },
          '700': {
            value: '#7D1539',
          },
          '800': {
            value: '#5F112D',
          },
          '900': {
            value: '#420C20',
          },
          '950': {
            value: '#2A0714',
          },
        },
        white: {
          value: '#FFFFFF',
        },
        black: {
          value: '#1F1B28',
        },
      },
      fonts: {
        heading: {
          value: "'Young Serif', 'Young Serif as Georgia', 'Young Serif as Times', 'Iowan Old Style', Georgia, serif",
        },
        body: {
          value: "'Figtree Variable', 'Figtree as Arial', 'Figtree', system-ui, sans-serif",
        },
      },
      radii: {
        xs: {
          value: '2px',
        },
        sm: {
          value: '4px',
        },
        md: {
          value: '8px',
        },
        lg: {
          value: '12px',
        },
        xl: {
          value: '20px',
        },
        full: {
          value: '999px',
        },
      },
      durations: {
        fast: {
          value: '140ms',
        },
        moderate: {
          value: '220ms',
        },
        slow: {
          value: '360ms',
        },
      },
      easings: {
        standard: {
          value: 'cubic-bezier(.2,0,0,1)',
        },
        enter: {
          value: 'cubic-bezier(.05,.7,.1,1)',
        },
        exit: {
          value: 'cubic-bezier(.3,0,.8,.15)',
        },
      },
      zIndex: {
        tabbar: {
          value: 20,
        },
      },
      spacing: {
        section: {
          value: 'clamp(3.5rem, 2.6rem + 3.9vw, 6rem)',
        },
        gutter: {
          value: 'clamp(1.25rem, 0.5rem + 3.2vw, 4rem)',
        },
      },
      sizes: {
        container: {
          value: '1240px',
        },
        thumb: {
          value: '80px',
        },
        touch: {
          value: '44px',
        },
      },
    },
    semanticTokens: {
      colors: {
        bg: {
          DEFAULT: {
            value: {
              _light: '{colors.rice.50}',
              _dark: '{colors.gara.950}',
            },
          },
          panel: {
            value: {
              _light: '{colors.rice.0}',
              _dark: '#1A1A30',
            },
          },
          subtle: {
            value: {
              _light: '{colors.rice.100}',
              _dark: '#17172B',
            },
          },
          muted: {
            value: {
              _light: '{colors.rice.200}',
              _dark: '#26263F',
            },
          },
          emphasized: {
            value: {
              _light: '{colors.rice.300}',
              _dark: '#33334F',
            },
          },
          inverted: {
            value: {
              _light: '{colors.rice.900}',
              _dark: '{colors.rice.50}',
            },
          },
          night: {
            value: {
              _light: '{colors.gara.900}',
              _dark: '#0B0B18',
            },
          },
          error: {
            value: {
              _light: '{colors.chili.100}',
              _dark: '#3A1912',
            },
          },
          warning: {
            value: {
              _light: '{colors.palm.100}',
              _dark: '#33260F',
            },
          },
          success: {
            value: {
              _light: '{colors.leaf.100}',
              _dark: '#16301F',
            },
          },
          info: {
            value: {
              _light: '{colors.gara.100}',
              _dark: '#232548',
            },
          },
        },
        fg: {
          DEFAULT: {
            value: {
              _light: '{colors.rice.900}',
              _dark: '#F4F1EA',
            },
          },
          muted: {
            value: {
              _light: '{colors.rice.600}',
              _dark: '#BDB8C6',
            },
          },
          subtle: {
            value: {
              _light: '#6B655D',
              _dark: '#A19CAE',
            },
          },
          inverted: {
            value: {
              _light: '{colors.rice.50}',
              _dark: '{colors.rice.900}',
            },
          },
          onNight: {
            value: {
              _light: '{colors.rice.100}',
              _dark: '{colors.rice.100}',
            },
          },
          onNightMuted: {
            value: {
              _light: '{colors.gara.200}',
              _dark: '{colors.gara.200}',
            },
          },
          onNightAccent: {
            value: {
              _light: '{colors.palm.400}',
              _dark: '{colors.palm.400}',
            },
          },
          error: {
            value: {
              _light: '{colors.chili.600}',
              _dark: '{colors.chili.200}',
            },
          },
          warning: {
            value: {
              _light: '{colors.palm.700}',
              _dark: '{colors.palm.200}',
            },
          },
          success: {
            value: {
              _light: '{colors.leaf.700}',
              _dark: '{colors.leaf.200}',
            },
          },
          info: {
            value: {
              _light: '{colors.gara.600}',
              _dark: '{colors.gara.200}',
            },
          },
        },
        border: {
          DEFAULT: {
            value: {
              _light: '{colors.rice.200}',
              _dark: '#2E2E4A',
            },
          },
          muted: {
            value: {
              _light: '{colors.rice.100}',
              _dark: '#242440',
            },
          },
          subtle: {
            value: {
              _light: '{colors.rice.100}',
              _dark: '#242440',
            },
          },
          emphasized: {
            value: {
              _light: '{colors.rice.300}',
              _dark: '#45456A',
            },
          },
          control: {
            value: {
              _light: '{colors.rice.450}',
              _dark: '#7F7E9E',
            },
          },
          inverted: {
            value: {
              _light: '{colors.rice.900}',
              _dark: '{colors.rice.50}',
            },
          },
          error: {
            value: {
              _light: '{colors.chili.600}',
              _dark: '{colors.chili.200}',
            },
          },
          warning: {
            value: {
              _light: '{colors.palm.700}',
              _dark: '{colors.palm.200}',
            },
          },
          success: {
            value: {
              _light: '{colors.leaf.700}',
              _dark: '{colors.leaf.200}',
            },
          },
          info: {
            value: {
              _light: '{colors.gara.600}',
              _dark: '{colors.gara.200}',
            },
          },
        },
        focusRing: {
          value: {
            _light: '{colors.gara.600}',
            _dark: '{colors.palm.300}',
          },
        },
        accent: {
          solid: {
            value: {
              _light: '{colors.wonjo.600}',
              _dark: '#C83A6B',
            },
          },
          hover: {
            value: {
              _light: '{colors.wonjo.700}',
              _dark: '#B83060',
            },
          },
          contrast: {
            value: {
              _light: '{colors.rice.0}',
              _dark: '{colors.rice.0}',
            },
          },
          fg: {
            value: {
              _light: '{colors.wonjo.600}',
              _dark: '{colors.wonjo.300}',
            },
          },
          subtle: {
            value: {
              _light: '{colors.wonjo.50}',
              _dark: '#2D1629',
            },
          },
          muted: {
            value: {
              _light: '{colors.wonjo.100}',
              _dark: '#44203A',
            },
          },
          emphasized: {
            value: {
              _light: '{colors.wonjo.100}',
              _dark: '#44203A',
            },
          },
          focusRing: {
            value: {
              _light: '{colors.gara.600}',
              _dark: '{colors.palm.300}',
            },
          },
          border: {
            value: {
              _light: '{colors.rice.450}',
              _dark: '#7F7E9E',
            },
          },
        },
        success: {
          solid: {
            value: {
              _light: '{colors.leaf.600}',
              _dark: '{colors.leaf.300}',
            },
          },
          contrast: {
            value: {
              _light: '{colors.rice.0}',
              _dark: '{colors.leaf.950}',
            },
          },
          fg: {
            value: {
              _light: '{colors.leaf.700}',
              _dark: '{colors.leaf.200}',
            },
          },
          subtle: {
            value: {
              _light: '{colors.leaf.100}',
              _dark: '#16301F',
            },
          },
          muted: {
            value: {
              _light: '{colors.leaf.100}',
              _dark: '#16301F',
            },
          },
          emphasized: {
            value: {
              _light: '{colors.leaf.100}',
              _dark: '#16301F',
            },
          },
          focusRing: {
            value: {
              _light: '{colors.gara.600}',
              _dark: '{colors.palm.300}',
            },
          },
          border: {
            value: {
              _light: '{colors.leaf.700}',
              _dark: '{colors.leaf.200}',
            },
          },
        },
        warn: {
          solid: {
            value: {
              _light: '{colors.palm.400}',
              _dark: '{colors.palm.300}',
            },
          },
          contrast: {
            value: {
              _light: '{colors.palm.950}',
              _dark: '{colors.palm.950}',
            },
          },
          fg: {
            value: {
              _light: '{colors.palm.700}',
              _dark: '{colors.palm.200}',
            },
          },
          subtle: {
            value: {
              _light: '{colors.palm.100}',
              _dark: '#33260F',
            },
          },
          muted: {
            value: {
              _light: '{colors.palm.100}',
              _dark: '#33260F',
            },
          },
          emphasized: {
            value: {
              _light: '{colors.palm.100}',
              _dark: '#33260F',
            },
          },
          focusRing: {
            value: {
              _light: '{colors.gara.600}',
              _dark: '{colors.palm.300}',
            },
          },
          border: {
            value: {
              _light: '{colors.palm.700}',
              _dark: '{colors.palm.200}',
            },
          },
        },
        error: {
          solid: {
            value: {
              _light: '{colors.chili.600}',
              _dark: '{colors.chili.300}',
            },
          },
          contrast: {
            value: {
              _light: '{colors.rice.0}',
              _dark: '{colors.chili.950}',
            },
          },
          fg: {
            value: {
              _light: '{colors.chili.600}',
              _dark: '{colors.chili.200}',
            },
          },
          subtle: {
            value: {
              _light: '{colors.chili.100}',
              _dark: '#3A1912',
            },
          },
          muted: {
            value: {
              _light: '{colors.chili.100}',
              _dark: '#3A1912',
            },
          },
          emphasized: {
            value: {
              _light: '{colors.chili.100}',
              _dark: '#3A1912',
            },
          },
          focusRing: {
            value: {
              _light: '{colors.gara.600}',
              _dark: '{colors.palm.300}',
            },
          },
          border: {
            value: {
              _light: '{colors.chili.600}',
              _dark: '{colors.chili.200}',
            },
          },
        },
        savory: {
          field: {
            value: {
              _light: '{colors.palm.300}',
              _dark: '#6E440A',
            },
          },
          onField: {
            value: {
              _light: '{colors.rice.900}',
              _dark: '{colors.palm.50}',
            },
          },
        },
        spices: {
          field: {
            value: {
              _light: '{colors.wonjo.600}',
              _dark: '{colors.wonjo.700}',
            },
          },
          onField: {
            value: {
              _light: '{colors.rice.0}',
              _dark: '{colors.wonjo.50}',
            },
          },
        },
      },
      radii: {
        l1: {
          value: '{radii.sm}',
        },
        l2: {
          value: '{radii.md}',
        },
        l3: {
          value: '{radii.lg}',
        },
      },
      shadows: {
        xs: {
          value: {
            _light: '0 1px 2px rgb(31 27 40 / .06)',
            _dark: '0 1px 2px rgb(0 0 0 / .4)',
          },
        },
        sm: {
          value: {
            _light: '0 1px 3px rgb(31 27 40 / .08), 0 1px 1px rgb(31 27 40 / .04)',
            _dark: '0 1px 3px rgb(0 0 0 / .45)',
          },
        },
        md: {
          value: {
            _light: '0 6px 18px -6px rgb(31 27 40 / .16), 0 2px 4px rgb(31 27 40 / .05)',
            _dark: '0 8px 22px -6px rgb(0 0 0 / .6), 0 0 0 1px rgb(255 255 255 / .04)',
          },
        },
        lg: {
          value: {
            _light: '0 24px 60px -16px rgb(31 27 40 / .32), 0 4px 12px rgb(31 27 40 / .08)',
            _dark: '0 28px 64px -16px rgb(0 0 0 / .75), 0 0 0 1px rgb(255 255 255 / .06)',
          },
        },
      },
    },
    textStyles: {
      display: {
        value: {
          fontFamily: 'heading',
          fontSize: 'clamp(2.75rem, 1.61rem + 4.87vw, 5.75rem)',
          lineHeight: '0.98',
          letterSpacing: '-0.022em',
          fontWeight: '400',
        },
      },
      h1: {
        value: {
          fontFamily: 'heading',
          fontSize: 'clamp(2rem, 1.62rem + 1.62vw, 3rem)',
          lineHeight: '1.06',
          letterSpacing: '-0.016em',
          fontWeight: '400',
        },
      },
      h2: {
        value: {
          fontFamily: 'heading',
          fontSize: 'clamp(1.5rem, 1.31rem + 0.81vw, 2rem)',
          lineHeight: '1.14',
          letterSpacing: '-0.01em',
          fontWeight: '400',
        },
      },
      h3: {
        value: {
          fontFamily: 'heading',
          fontSize: 'clamp(1.1875rem, 1.14rem + 0.2vw, 1.3125rem)',
          lineHeight: '1.25',
          letterSpacing: '-0.005em',
          fontWeight: '400',
        },
      },
      lead: {
        value: {
          fontFamily: 'body',
          fontSize: 'clamp(1.0625rem, 0.99rem + 0.3vw, 1.25rem)',
          lineHeight: '1.5',
          letterSpacing: '0',
          fontWeight: '400',
        },
      },
      body: {
        value: {
          fontFamily: 'body',
          fontSize: '1rem',
          lineHeight: '1.55',
          letterSpacing: '0',
          fontWeight: '400',
        },
      },
      bodyStrong: {
        value: {
          fontFamily: 'body',
          fontSize: '1rem',
          lineHeight: '1.4',
          letterSpacing: '0',
          fontWeight: '600',
        },
      },
      ui: {
        value: {
          fontFamily: 'body',
          fontSize: '0.9375rem',
          lineHeight: '1.4',
          letterSpacing: '0',
          fontWeight: '500',
        },
      },
      small: {
        value: {
          fontFamily: 'body',
          fontSize: '0.875rem',
          lineHeight: '1.45',
          letterSpacing: '0',
          fontWeight: '400',
        },
      },
      caption: {
        value: {
          fontFamily: 'body',
          fontSize: '0.8125rem',
          lineHeight: '1.4',
          letterSpacing: '0.005em',
          fontWeight: '500',
        },
      },
      price: {
        value: {
          fontFamily: 'body',
          fontSize: '1.0625rem',
          lineHeight: '1.2',
          letterSpacing: '0',
          fontWeight: '600',
        },
      },
      priceLg: {
        value: {
          fontFamily: 'body',
          fontSize: 'clamp(1.5rem, 1.4rem + 0.4vw, 1.75rem)',
          lineHeight: '1.1',
          letterSpacing: '-0.01em',
          fontWeight: '500',
        },
      },
      adminTitle: {
        value: {
          fontFamily: 'body',
          fontSize: '1.375rem',
          lineHeight: '1.25',
          letterSpacing: '-0.012em',
          fontWeight: '600',
        },
      },
      adminCell: {
        value: {
          fontFamily: 'body',
          fontSize: '0.875rem',
          lineHeight: '1.4',
          letterSpacing: '0',
          fontWeight: '450',
        },
      },
    },
    recipes: {
      button: {
        base: {
          fontWeight: '600',
          transitionDuration: 'fast',
        },
        variants: {
          size: {
            sm: {
              h: '9',
            },
            md: {
              h: '11',
              px: '5',
              minW: '11',
            },
            lg: {
              h: '13',
              px: '7',
              textStyle: 'bodyStrong',
            },
          },
          variant: {
            solid: {
              bg: 'colorPalette.solid',
              color: 'colorPalette.contrast',
            },
            outline: {
              borderColor: 'border.control',
              bg: 'bg.panel',
              color: 'fg',
              _hover: {
                bg: 'bg.subtle',
              },
            },
            ghost: {
              color: 'fg',
              _hover: {
                bg: 'bg.muted',
              },
            },
          },
        },
        defaultVariants: {
          size: 'md',
          variant: 'solid',
        },
      },
      input: {
        variants: {
          size: {
            md: {
              '--input-height': 'sizes.12',
              px: '3.5',
              textStyle: 'body',
            },
          },
          variant: {
            outline: {
              bg: 'bg.panel',
              borderColor: 'border.control',
            },
          },
        },
      },
      textarea: {
        variants: {
          variant: {
            outline: {
              bg: 'bg.panel',
              borderColor: 'border.control',
            },
          },
        },
      },
      badge: {
        base: {
          borderRadius: 'full',
          fontWeight: '600',
        },
      },
    },
  },
  globalCss: {
    html: {
      colorPalette: 'accent',
    },
    body: {
      bg: 'bg',
      color: 'fg',
      fontFamily: 'body',
    },
    '*:focus-visible': {
      outline: '3px solid',
      outlineColor: 'focusRing',
      outlineOffset: '2px',
    },
    '::placeholder': {
      color: 'fg.subtle',
      opacity: 1,
    },
    '*, *::before, *::after': {
      _motionReduce: {
        animationDuration: '1ms !important',
        transitionDuration: '1ms !important',
        scrollBehavior: 'auto !important',
      },
    },
  },
});

/** The Mantine theme: its variables take the values of `styles/tokens.css`. */

import {
  ActionIcon,
  Button,
  createTheme,
  type CSSVariablesResolver,
  Menu,
  type ModalProps,
  Popover,
  Tooltip,
} from "@mantine/core";

type Shades = readonly [string, string, string, string, string, string, string, string, string, string];

const INK = shades(...Array<string>(10).fill("ink"));
/** Mantine uses its grays by index; these are our tokens for each index. */
const LIGHT = shades("bg", "fill", "line", "line", "line-2", "ink-3", "ink-3", "ink-2", "ink-2", "ink");
const DARK = shades("ink", "ink-2", "ink-2", "ink-3", "line", "fill", "raised", "surface", "bg", "bg");

function shades(...tokens: string[]): Shades {
  return tokens.map((token) => `var(--${token})`) as unknown as Shades;
}

export const theme = createTheme({
  primaryColor: "ink",
  colors: { ink: INK, gray: LIGHT, dark: DARK },
  fontFamily: "var(--font-ui)",
  fontFamilyMonospace: "var(--font-mono)",
  defaultRadius: "8px",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "15px", xl: "16px" },
  components: {
    Button: Button.extend({ defaultProps: { size: "sm", variant: "default" } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: "subtle", color: "gray", size: 28 } }),
    Menu: Menu.extend({
      defaultProps: {
        shadow: "none",
        radius: 8,
        transitionProps: { duration: 120 },
        withInitialFocusPlaceholder: false,
      },
    }),
    Modal: {
      defaultProps: {
        radius: 16,
        centered: true,
        transitionProps: { duration: 200 },
        overlayProps: { backgroundOpacity: 0.4 },
      } satisfies Partial<ModalProps>,
    },
    Popover: Popover.extend({ defaultProps: { shadow: "none", radius: 8 } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 400, radius: 4 } }),
  },
});

const COLORS = {
  "--mantine-color-body": "var(--surface)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--ink-3)",
  "--mantine-color-default": "var(--raised)",
  "--mantine-color-default-hover": "var(--fill)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-border": "var(--line-2)",
  "--mantine-color-placeholder": "var(--ink-3)",
  "--mantine-color-error": "var(--bad)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-ink-filled": "var(--ink)",
  "--mantine-color-ink-filled-hover": "var(--ink-2)",
  "--mantine-color-ink-light": "var(--fill)",
  "--mantine-color-ink-light-hover": "var(--fill)",
  "--mantine-color-ink-light-color": "var(--ink)",
  "--mantine-color-ink-outline": "var(--ink)",
  "--mantine-color-gray-light-hover": "var(--fill)",
  "--mantine-color-gray-light-color": "var(--ink-2)",
  "--mantine-primary-color-contrast": "var(--surface)",
  "--mantine-color-white": "var(--surface)",
};

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: COLORS, dark: COLORS });

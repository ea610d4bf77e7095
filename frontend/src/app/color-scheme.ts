/** Dark, light or as the system has it: kept in this browser, and told to our own tokens. */

import type { MantineColorScheme, MantineColorSchemeManager } from "@mantine/core";
import { keep, kept } from "@/lib/local-storage";

const NAME = "colour-scheme";

export const colorSchemes: MantineColorSchemeManager = {
  get: (otherwise) => shown(kept<MantineColorScheme>(NAME, otherwise)),
  set: (scheme) => keep(NAME, shown(scheme)),
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => keep(NAME, null),
};

function shown(scheme: MantineColorScheme): MantineColorScheme {
  if (scheme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = scheme;
  return scheme;
}

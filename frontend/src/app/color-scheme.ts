/** Store the color scheme in the browser and apply it to our own CSS tokens. */

import type { MantineColorScheme, MantineColorSchemeManager } from "@mantine/core";
import { writeStored, readStored } from "@/lib/local-storage";

const NAME = "colour-scheme";

export const colorSchemes: MantineColorSchemeManager = {
  get: (fallback) => applyScheme(readStored<MantineColorScheme>(NAME, fallback)),
  set: (scheme) => writeStored(NAME, applyScheme(scheme)),
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => writeStored(NAME, null),
};

function applyScheme(scheme: MantineColorScheme): MantineColorScheme {
  if (scheme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = scheme;
  return scheme;
}

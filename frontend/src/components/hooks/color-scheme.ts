/** The color schemes: light, dark or the system's. */

import { type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { type LucideIcon, Monitor, Moon, Sun } from "lucide-react";
import { texts } from "@/texts";

export interface ColorSchemeOption {
  value: MantineColorScheme;
  label: string;
  Icon: LucideIcon;
}

export const COLOR_SCHEMES: readonly ColorSchemeOption[] = [
  { value: "light", label: texts.common.lookLight, Icon: Sun },
  { value: "dark", label: texts.common.lookDark, Icon: Moon },
  { value: "auto", label: texts.common.lookSystem, Icon: Monitor },
];

export function useColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return { scheme: colorScheme, setScheme: setColorScheme };
}

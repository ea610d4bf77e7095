/** Light, dark or as the system has it. */

import { type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { type LucideIcon, Monitor, Moon, Sun } from "lucide-react";
import { texts } from "@/texts";

export interface Look {
  value: MantineColorScheme;
  label: string;
  Icon: LucideIcon;
}

export const LOOKS: readonly Look[] = [
  { value: "light", label: texts.common.lookLight, Icon: Sun },
  { value: "dark", label: texts.common.lookDark, Icon: Moon },
  { value: "auto", label: texts.common.lookSystem, Icon: Monitor },
];

export function useLook() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return { look: colorScheme, setLook: setColorScheme };
}

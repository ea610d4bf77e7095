/** The commands that are available on the current page. */

import {
  BookOpen,
  ChartColumn,
  CircleDollarSign,
  Cpu,
  Compass,
  FilePlus,
  FolderTree,
  Keyboard,
  LogOut,
  type LucideIcon,
  PanelRight,
  Search,
  Settings2,
  Shrink,
  SquarePen,
} from "lucide-react";
import { useNavigate, useParams } from "react-router";
import { useCompact } from "@/api/compactions";
import { COLOR_SCHEMES, useColorScheme } from "@/components/hooks/color-scheme";
import { useShell } from "@/components/hooks/shell-context";
import { toast, toastProblem } from "@/components/feedback/toast";
import { useSignOutWithWarning } from "@/components/hooks/use-unsaved-warning";
import { palette } from "@/texts/palette";
import { settings } from "@/texts/settings";
import type { Item } from "./items";

const words = palette;

const SETTINGS = [
  ["models", Cpu],
  ["limits", CircleDollarSign],
  ["usage", ChartColumn],
] as const;

export function useCommands(): Item[] {
  const { me, openHelp, startTour } = useShell();
  const navigate = useNavigate();
  const signOut = useSignOutWithWarning();
  return [
    command("new", SquarePen, words.newChat, () => void navigate("/"), "mod+shift+O"),
    ...useConversationCommands(),
    command("memory", FolderTree, words.memory, () => void navigate("/memory")),
    command("memory-find", Search, words.memoryFind, () => void navigate("/memory/find")),
    ...(me.scopes.includes("write")
      ? [command("memory-new", FilePlus, words.memoryNew, () => void navigate("/memory/new"))]
      : []),
    ...SETTINGS.map(([part, Icon]) =>
      command(
        `settings-${part}`,
        Icon,
        words.settings(settings.tabs[part]),
        () => void navigate(`/settings/${part}`),
      ),
    ),
    command("help", Keyboard, words.keys, openHelp, "mod+/"),
    ...(startTour ? [command("tour", Compass, words.tour, startTour)] : []),
    ...useColorSchemeCommands(),
    command("docs", BookOpen, words.apiDocs, () => externalLink("/api/docs")),
    ...useOperatorCommands(),
    command("leave", LogOut, words.signOut, signOut),
  ];
}

function useConversationCommands(): Item[] {
  const { conversationId } = useParams();
  const { me, drawerOpen, setDrawerOpen } = useShell();
  const { mutateAsync } = useCompact(conversationId ?? "");
  if (conversationId === undefined) return [];
  const compact = () =>
    void mutateAsync("light").then(() => toast(words.compactAsked, { tone: "ok" }), toastProblem);
  const drawer = drawerOpen ? words.drawerClose : words.drawerOpen;
  return [
    ...(me.features?.ui
      ? [command("drawer", PanelRight, drawer, () => setDrawerOpen(!drawerOpen), "mod+J")]
      : []),
    ...(me.scopes.includes("write")
      ? [command("compact", Shrink, words.compact, compact, "mod+shift+K")]
      : []),
  ];
}

function useColorSchemeCommands(): Item[] {
  const { scheme, setScheme } = useColorScheme();
  return COLOR_SCHEMES.filter(({ value }) => value !== scheme).map(({ value, label, Icon }) =>
    command(`look-${value}`, Icon, words.look(label), () => setScheme(value)),
  );
}

function useOperatorCommands(): Item[] {
  const { me } = useShell();
  return me.user.is_operator
    ? [command("console", Settings2, words.console, () => externalLink("/admin/"))]
    : [];
}

function command(id: string, Icon: LucideIcon, label: string, run: () => void, keys?: string): Item {
  return { id, Icon, label, words: label, run, ...(keys === undefined ? {} : { keys }) };
}

function externalLink(address: string): void {
  window.open(address, "_blank", "noopener");
}

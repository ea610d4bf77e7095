/** The legend of the bar; each entry opens the list of its items. */

import { Popover } from "@mantine/core";
import clsx from "clsx";
import type { Context } from "@/api/context";
import type { BarPart, Layer } from "@/components/ui/context-bar";
import { PackTokens } from "../pack-tokens";
import { texts } from "@/texts";
import { LayerItems } from "./layer-items";
import classes from "./legend.module.css";

interface Props {
  parts: readonly BarPart[];
  pack: Context;
  chosen: Layer | null;
  onChoose: (layer: Layer | null) => void;
}

export function Legend({ parts, pack, chosen, onChoose }: Props) {
  return (
    <ul className={classes.legend}>
      {parts.filter(isShown).map((part) => (
        <li key={part.layer}>
          {part.layer === "free" ? (
            <span className={classes.entry}>
              <Entry {...part} />
            </span>
          ) : (
            <Popover
              opened={chosen === part.layer}
              onChange={(opened) => onChoose(opened ? part.layer : null)}
              position="bottom"
              width="target"
              withinPortal={false}
              trapFocus
              returnFocus
              classNames={{ dropdown: classes.dropdown ?? "" }}
            >
              <Popover.Target>
                <button
                  type="button"
                  className={classes.entry}
                  onClick={() => onChoose(chosen === part.layer ? null : part.layer)}
                >
                  <Entry {...part} />
                </button>
              </Popover.Target>
              <Popover.Dropdown aria-label={texts.drawer.usage.items(texts.drawer.usage.layers[part.layer])}>
                <LayerItems
                  layer={part.layer}
                  tokens={part.tokens}
                  pack={pack}
                  onClose={() => onChoose(null)}
                />
              </Popover.Dropdown>
            </Popover>
          )}
        </li>
      ))}
    </ul>
  );
}

function Entry({ layer, tokens }: BarPart) {
  return (
    <>
      <span className={clsx(classes.swatch, `p-${layer}`)} aria-hidden="true" />
      <span className={classes.name}>{texts.drawer.usage.layers[layer]}</span>
      <PackTokens value={tokens} />
    </>
  );
}

/** Parts that most packs do not have: the current message has tokens only while it waits for its reply. */
const SHOWN_WITH_TOKENS: readonly Layer[] = ["topics", "entities", "current"];

function isShown({ layer, tokens }: BarPart): boolean {
  return tokens > 0 || !SHOWN_WITH_TOKENS.includes(layer);
}

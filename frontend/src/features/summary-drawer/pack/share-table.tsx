/** Requested and granted tokens by layer; empty layers are listed below. */

import clsx from "clsx";
import type { PackLayer } from "@/api/context";
import { count } from "@/lib/format";
import { packing } from "@/texts/drawer-pack";
import classes from "./share.module.css";

const FILLS: Record<PackLayer["layer"], string> = {
  L0_identity: "p-system",
  L1_global_prefs: "p-user",
  L2_topic: "p-topics",
  L3_entity: "p-entities",
  L4_conversation: "p-summary",
  L5_jit: "p-retrieved",
  L6_message_history: "p-recent",
  L7_user_message: "p-current",
};

export function ShareTable({ layers, caption }: { layers: readonly PackLayer[]; caption: string }) {
  const words = packing.share;
  const emptyLayers = layers.filter((layer) => !hasContent(layer)).map(({ layer }) => words.layers[layer]);
  return (
    <>
      <table className={classes.table}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {[words.layer, words.wanted, words.granted, words.used, words.priority].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {layers.filter(hasContent).map((layer) => (
            <Row key={layer.layer} {...layer} />
          ))}
        </tbody>
      </table>
      {emptyLayers.length > 0 && (
        <p className={classes.silent}>{words.nothingToSay(emptyLayers.join(", "))}</p>
      )}
    </>
  );
}

function Row({ layer, content, granted, used, priority }: PackLayer) {
  const words = packing.share;
  const isShort = granted < content;
  return (
    <tr>
      <th scope="row">
        <span className={classes.layer}>
          <span className={clsx(classes.swatch, FILLS[layer])} aria-hidden="true" />
          <span>
            {words.layers[layer]} <span className={classes.code}>{layer.slice(0, 2)}</span>
          </span>
        </span>
        {isShort && (
          <span className={classes.short}>
            {granted === 0 ? words.noRoom : words.less(content - granted)}
          </span>
        )}
      </th>
      <td>{count(content)}</td>
      <td>{count(granted)}</td>
      <td>{count(used)}</td>
      <td>{count(priority)}</td>
    </tr>
  );
}

function hasContent({ content, granted, used }: PackLayer): boolean {
  return content + granted + used > 0;
}

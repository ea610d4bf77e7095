/** The bar as a table for screen readers. */

import { VisuallyHidden } from "@mantine/core";
import type { BarPart } from "@/components/ui/context-bar";
import { count } from "@/lib/format";
import { texts } from "@/texts";

export function PartsTable({ parts, limit }: { parts: readonly BarPart[]; limit: number }) {
  const { usage } = texts.drawer;
  return (
    <VisuallyHidden>
      <table>
        <caption>{`${usage.title}, ${usage.of(limit)}`}</caption>
        <thead>
          <tr>
            <th scope="col">{usage.part}</th>
            <th scope="col">{usage.amount}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ layer, tokens }) => (
            <tr key={layer}>
              <th scope="row">{usage.layers[layer]}</th>
              <td>{count(tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  );
}

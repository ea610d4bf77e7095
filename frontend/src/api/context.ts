/** The context pack: exactly what the model receives next. */

import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";

export type Context = Schemas["Context"];
export type PackTokens = Schemas["PackTokens"];
export type PackMetadata = Schemas["Metadata"];
export type PackLayer = Schemas["Layer"];
export type Estimator = Schemas["Estimator"];
export type MessageInPack = Schemas["MessageInPack"];
export type Rendering = "plain" | "openai" | "anthropic";

/** With a `rendering`, the pack is also returned in the format of a model's API. */
export function contextQuery(id: string, rendering?: Rendering) {
  return queryOptions({
    queryKey: [...keys.context(id), rendering ?? "parts"],
    queryFn: () => {
      const query = rendering === undefined ? {} : { format: rendering };
      const params = { ...path(id).params, query };
      return unwrap(api.GET("/api/conversations/{conversation_id}/context", { params }));
    },
  });
}

/** The layer by name; with the engine off there are only messages. */
export function layerOf(
  { layers }: Pick<Context, "layers">,
  name: PackLayer["layer"],
): PackLayer | undefined {
  return layers.find(({ layer }) => layer === name);
}

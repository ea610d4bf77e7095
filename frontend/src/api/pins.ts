/** Pins: text that is sent to the model verbatim. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, type Schemas, unwrap } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";

export type Pin = Schemas["Pin"];

export function pinsQuery(id: string) {
  return queryOptions({
    queryKey: keys.pins(id),
    queryFn: async () => {
      const query = { limit: 200 };
      const response = await unwrap(
        api.GET("/api/conversations/{conversation_id}/pins", { params: { ...path(id).params, query } }),
      );
      return response.data;
    },
  });
}

export function useCreatePin(id: string) {
  return usePinMutation(id, (body: Schemas["PinRequest"]) =>
    unwrap(api.POST("/api/conversations/{conversation_id}/pins", { ...path(id), body })),
  );
}

export function useChangePin(id: string) {
  return usePinMutation(id, ({ pin, body }: { pin: Pin; body: Schemas["PinChangesRequest"] }) =>
    unwrap(
      api.PATCH("/api/conversations/{conversation_id}/pins/{pin_id}", {
        params: { path: { conversation_id: id, pin_id: pin.id }, header: ifMatch(pin.version) },
        body,
      }),
    ),
  );
}

/** Delete a pin: with its version only if it is unchanged, by its id unconditionally. */
export function useDeletePin(id: string) {
  return usePinMutation(id, (pin: string | Pick<Pin, "id" | "version">) => {
    const [pinId, header] = typeof pin === "string" ? [pin, {}] : [pin.id, ifMatch(pin.version)];
    return unwrap(
      api.DELETE("/api/conversations/{conversation_id}/pins/{pin_id}", {
        params: { path: { conversation_id: id, pin_id: pinId }, header },
      }),
    );
  });
}

function usePinMutation<Input, Output>(id: string, mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: keys.pins(id) }) });
}

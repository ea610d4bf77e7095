/** Pins: text that reaches the model word for word. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, type Schemas, taken } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";

export type Pin = Schemas["Pin"];

export function pinsQuery(id: string) {
  return queryOptions({
    queryKey: keys.pins(id),
    queryFn: async () => {
      const query = { limit: 200 };
      const got = await taken(
        api.GET("/api/conversations/{conversation_id}/pins", { params: { ...path(id).params, query } }),
      );
      return got.data;
    },
  });
}

export function useCreatePin(id: string) {
  return usePinChange(id, (body: Schemas["PinRequest"]) =>
    taken(api.POST("/api/conversations/{conversation_id}/pins", { ...path(id), body })),
  );
}

export function useChangePin(id: string) {
  return usePinChange(id, ({ pin, body }: { pin: Pin; body: Schemas["PatchedPinChangesRequest"] }) =>
    taken(
      api.PATCH("/api/conversations/{conversation_id}/pins/{pin_id}", {
        params: { path: { conversation_id: id, pin_id: pin.id }, header: ifMatch(pin.version) },
        body,
      }),
    ),
  );
}

/** As it was looked at; by its id alone it goes as it stands. */
export function useDeletePin(id: string) {
  return usePinChange(id, (pin: string | Pick<Pin, "id" | "version">) => {
    const [pinId, header] = typeof pin === "string" ? [pin, {}] : [pin.id, ifMatch(pin.version)];
    return taken(
      api.DELETE("/api/conversations/{conversation_id}/pins/{pin_id}", {
        params: { path: { conversation_id: id, pin_id: pinId }, header },
      }),
    );
  });
}

function usePinChange<Input, Output>(id: string, mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: keys.pins(id) }) });
}

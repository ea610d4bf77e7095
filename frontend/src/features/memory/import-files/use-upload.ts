/** Upload the files of an import, and cancel on the server what nobody waits for any more. */

import { useCallback, useEffect, useRef } from "react";
import { cancelImport, type ImportRequest, sendFiles } from "@/api/import-files";
import { Unreachable } from "@/api/problems";
import type { Sent } from "@/api/upload";

type Operation = Awaited<ReturnType<typeof sendFiles>>;

export interface Uploads {
  upload: (request: ImportRequest, onSent: (sent: Sent) => void, signal: AbortSignal) => Promise<Operation>;
  /** Cancel an import by its id. If the server cannot be reached, the next upload does so first. */
  discard: (importId?: string) => Promise<void>;
}

export function useUpload(): Uploads {
  const uploading = useRef<string | null>(null);
  const unwanted = useRef(new Set<string>());

  const discard = useCallback(async (importId?: string) => {
    if (importId !== undefined) unwanted.current.add(importId);
    for (const id of unwanted.current) {
      await cancelImport(id);
      unwanted.current.delete(id);
    }
  }, []);

  const upload = useCallback<Uploads["upload"]>(
    async (request, onSent, signal) => {
      const { importId } = request;
      await discard();
      signal.throwIfAborted();
      uploading.current = importId;
      try {
        return await sendFiles(request, onSent, signal);
      } catch (error) {
        // The last bytes may have arrived, and the import may have started.
        if (error instanceof Unreachable) discard(importId).catch(() => undefined);
        throw error;
      } finally {
        if (uploading.current === importId) uploading.current = null;
      }
    },
    [discard],
  );

  useEffect(() => {
    const discardUpload = () => {
      if (uploading.current !== null) discard(uploading.current).catch(() => undefined);
    };
    window.addEventListener("pagehide", discardUpload);
    return () => {
      window.removeEventListener("pagehide", discardUpload);
      discardUpload();
    };
  }, [discard]);
  return { upload, discard };
}

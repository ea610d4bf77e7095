/** The page as a whole: providers around its routes. */

import { MantineProvider } from "@mantine/core";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { BrowserRouter } from "react-router";
import { keys } from "@/api/keys";
import { Problem } from "@/api/problems";
import { sessionEnd } from "@/api/session";
import { Toasts } from "@/components/feedback/toast";
import { styleNonce } from "@/lib/nonce";
import { colorSchemes } from "./color-scheme";
import { PageBoundary } from "./route-error-boundary";
import { AppRoutes } from "./routes";
import { cssVariables, theme } from "./theme";

const MOST_TRIES = 3;

export function App() {
  const [client] = useState(newQueryClient);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={client}>
        <BrowserRouter>
          <PageBoundary>
            <AppRoutes />
          </PageBoundary>
        </BrowserRouter>
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  );
}

function newQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: 30_000, retry: isWorthRetrying, networkMode: "always" } },
    queryCache: new QueryCache({ onError: (error) => noticeEnd(client, error) }),
    mutationCache: new MutationCache({ onError: (error) => noticeEnd(client, error) }),
  });
  return client;
}

/** A session may end while the page is open: then whatever is asked next leads to the sign-in. */
function noticeEnd(client: QueryClient, error: Error): void {
  const isRefused = error instanceof Problem && error.status === 401 && error.code !== "wrong_credentials";
  if (isRefused && client.getQueryData(keys.me)) sessionEnd(client);
}

/** What the server refused, it refuses again. */
function isWorthRetrying(failures: number, error: Error): boolean {
  return failures < MOST_TRIES && !(error instanceof Problem && error.status < 500);
}

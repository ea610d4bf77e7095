/** The web app: providers around its routes. */

import { MantineProvider } from "@mantine/core";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { BrowserRouter } from "react-router";
import { keys } from "@/api/keys";
import { Problem } from "@/api/problems";
import { endSession } from "@/api/session";
import { Toasts } from "@/components/feedback/toast";
import { styleNonce } from "@/lib/nonce";
import { colorSchemes } from "./color-scheme";
import { RouteErrorBoundary } from "./route-error-boundary";
import { AppRoutes } from "./routes";
import { cssVariables, theme } from "./theme";

const MAX_RETRIES = 3;

interface Props {
  /** A test has no layout, so its menus must not look at what is visible. */
  env?: "default" | "test";
}

export function App({ env = "default" }: Props) {
  const [client] = useState(newQueryClient);
  return (
    <MantineProvider
      env={env}
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={client}>
        <BrowserRouter>
          <RouteErrorBoundary>
            <AppRoutes />
          </RouteErrorBoundary>
        </BrowserRouter>
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  );
}

function newQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: 30_000, retry: shouldRetry, networkMode: "always" } },
    queryCache: new QueryCache({ onError: (error) => detectSessionEnd(client, error) }),
    mutationCache: new MutationCache({ onError: (error) => detectSessionEnd(client, error) }),
  });
  return client;
}

/** Any request may reveal that the session has ended; then the sign-in page is shown. */
function detectSessionEnd(client: QueryClient, error: Error): void {
  const isRefused = error instanceof Problem && error.status === 401 && error.code !== "wrong_credentials";
  if (isRefused && client.getQueryData(keys.me)) endSession(client);
}

/** The server would reject a 4xx request again. */
function shouldRetry(failures: number, error: Error): boolean {
  return failures < MAX_RETRIES && !(error instanceof Problem && error.status < 500);
}

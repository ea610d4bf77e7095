/** Render a component with the app's providers, and mock the server. */

import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, type RenderResult } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter } from "react-router";
import { vi } from "vitest";
import { Toasts } from "@/components/feedback/toast";

export function renderInApp(element: ReactNode, at = "/"): RenderResult {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={[at]}>{children}</MemoryRouter>
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  );
  return render(element, { wrapper });
}

type Answers = Record<string, (request: Request) => Response | Promise<Response>>;

/** `answers` by "METHOD /path", for dry runs also "METHOD /path?dry_run". Any other request fails the test. */
export function mockServer(answers: Answers): Request[] {
  const requests: Request[] = [];
  vi.stubGlobal("fetch", async (input: Request) => {
    requests.push(input.clone());
    const { pathname, searchParams } = new URL(input.url, location.href);
    const name = `${input.method} ${pathname}`;
    const dryRun = searchParams.get("dry_run") === "true" ? answers[`${name}?dry_run`] : undefined;
    const answer = dryRun ?? answers[name];
    if (answer === undefined) throw new Error(`nobody answers ${name}`);
    return answer(input);
  });
  return requests;
}

/** The last matching request that was not a dry run. */
export function lastSent(requests: Request[], method: string, path: string): Request {
  const request = requests.findLast((one) => {
    const { pathname, searchParams } = new URL(one.url);
    return one.method === method && pathname === path && !searchParams.has("dry_run");
  });
  if (request === undefined) throw new Error(`nobody asked ${method} ${path}`);
  return request;
}

export function json(body: unknown, status = 200): Response {
  return Response.json(body, { status });
}

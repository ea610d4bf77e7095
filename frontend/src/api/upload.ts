/** A `fetch` that sends a form and reports how much of it was sent, which only XMLHttpRequest knows. */

import { Unreachable } from "./problems";

/** In bytes. */
export interface Sent {
  loaded: number;
  total: number;
}

/** The form takes the place of the request's body: it is read from the disk while it is sent. */
export function fetchWithForm(form: FormData, onSent: (sent: Sent) => void) {
  return (request: Request): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { signal } = request;
      signal.throwIfAborted();
      const transfer = new XMLHttpRequest();
      transfer.open(request.method, request.url);
      for (const [name, value] of request.headers) {
        // The form has a boundary of its own.
        if (name !== "content-type") transfer.setRequestHeader(name, value);
      }
      transfer.upload.onprogress = ({ loaded, total }) => onSent({ loaded, total });
      transfer.onload = () => resolve(responseOf(transfer));
      transfer.onerror = (event) => reject(new Unreachable(event));
      transfer.onabort = () => reject(signal.reason as Error);
      signal.addEventListener("abort", () => transfer.abort(), { once: true });
      transfer.send(form);
    });
}

function responseOf(transfer: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of transfer.getAllResponseHeaders().split("\r\n")) {
    const [name, value] = line.split(/: (.*)/s);
    if (name && value !== undefined) headers.append(name, value);
  }
  return new Response(transfer.responseText || null, { status: transfer.status, headers });
}

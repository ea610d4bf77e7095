/** Mock layout for jsdom: a viewport of 600 px, rows of 110 px, and scrolling. */

const VIEW_PX = 600;
const ROW_PX = 110;

/** Install the mock for all tests of the file. */
export function mockLayout(): void {
  define(HTMLElement.prototype, "offsetHeight", () => ROW_PX);
  define(HTMLElement.prototype, "offsetWidth", () => VIEW_PX);
  define(Element.prototype, "clientHeight", () => VIEW_PX);
  define(Element.prototype, "clientWidth", () => VIEW_PX);
  define(Element.prototype, "scrollHeight", (element) => heightInside(element) || VIEW_PX);
  Element.prototype.scrollTo = scrollTo as typeof Element.prototype.scrollTo;
}

function define(prototype: Element, name: string, value: (element: Element) => number): void {
  Object.defineProperty(prototype, name, {
    configurable: true,
    get(this: Element) {
      return value(this);
    },
  });
}

function heightInside({ firstElementChild: child }: Element): number {
  return child instanceof HTMLElement ? parseFloat(child.style.height) : NaN;
}

function scrollTo(this: Element, { top = 0 }: ScrollToOptions): void {
  this.scrollTop = Math.max(0, Math.min(top, this.scrollHeight - this.clientHeight));
  // Browsers dispatch the event in the next frame.
  queueMicrotask(() => this.dispatchEvent(new Event("scroll")));
}

/*
 * The components of the console's pages, for Alpine's build without `eval`: its expressions see registered components
 * and nothing of the page's global names. The first three are unfold's own functions (unfold/js/app.js).
 */
document.addEventListener("alpine:init", () => {
  Alpine.data("theme", theme);
  Alpine.data("searchForm", searchForm);
  Alpine.data("searchCommand", searchCommand);
  Alpine.data("consolePage", consolePage);
});

const SIDEBAR = "sidebarDesktopOpen";

/** The page itself. `firstTab` is the tab to open if the address names none, and is empty on a page without tabs. */
function consolePage(firstTab = "") {
  const sidebar = localStorage.getItem(SIDEBAR);
  return {
    activeTab: firstTab && (getCurrentTab() || firstTab),
    sidebarMobileOpen: false,
    sidebarDesktopOpen: sidebar === null || sidebar === "1",
    // The change form builds the address it is sent to from these two.
    window: {
      location: {
        get pathname() {
          return location.pathname;
        },
        get search() {
          return location.search;
        },
      },
    },
    init() {
      this.$watch("sidebarDesktopOpen", (open) => localStorage.setItem(SIDEBAR, open ? "1" : "0"));
    },
  };
}

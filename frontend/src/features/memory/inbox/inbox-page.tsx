/** The inbox: what waits for a decision, and what was decided. */

import { Route, Routes } from "react-router";
import { DecidedPage } from "./decided-page";
import { WaitingPage } from "./waiting-page";

export default function InboxPage() {
  return (
    <Routes>
      <Route path="decided" element={<DecidedPage />} />
      <Route path=":itemId?" element={<WaitingPage />} />
    </Routes>
  );
}

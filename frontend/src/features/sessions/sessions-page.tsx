/** The sessions: their list, and the page of one. */

import { Route, Routes } from "react-router";
import { MemoryHeader } from "@/components/memory/memory-header";
import { SessionList } from "./session-list";
import { SessionView } from "./session-view";
import classes from "./sessions.module.css";

export default function SessionsPage() {
  return (
    <div className={classes.column}>
      <MemoryHeader />
      <div className={classes.body}>
        <div className={classes.inner}>
          <Routes>
            <Route index element={<SessionList />} />
            <Route path="*" element={<SessionView />} />
          </Routes>
        </div>
      </div>
    </div>
  );
}

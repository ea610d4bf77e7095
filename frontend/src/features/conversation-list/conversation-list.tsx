/** The left column: workspace, chats and account. As a rail it has only icon buttons. */

import { useState } from "react";
import { texts } from "@/texts";
import { Account } from "./account";
import classes from "./conversation-list.module.css";
import { Chats } from "./chats";
import { SearchButtons } from "./search-button";
import { NavLinks } from "./nav-links";
import { WorkspaceSwitch } from "./workspace-switch";

interface Props {
  currentId: string | undefined;
  rail?: boolean;
  /** Called after a choice, to close the overlay on small screens. */
  onChoose: () => void;
  onSearch: () => void;
}

export function ConversationList({ currentId, rail = false, onChoose, onSearch }: Props) {
  const [archived, setArchived] = useState(false);
  return (
    <nav className={classes.column} aria-label={texts.list.navigation}>
      <WorkspaceSwitch rail={rail} onChoose={onChoose} />
      <NavLinks rail={rail} onChoose={onChoose} />
      <SearchButtons rail={rail} onChoose={onChoose} onSearch={onSearch} />
      <section className={classes.chats} aria-label={texts.list.chats} hidden={rail}>
        <div className={classes.head}>
          <h2>{archived ? texts.list.archived : texts.list.chats}</h2>
          <button type="button" aria-pressed={archived} onClick={() => setArchived(!archived)}>
            {archived ? texts.list.chats : texts.list.archived}
          </button>
        </div>
        <Chats key={String(archived)} archived={archived} currentId={currentId} onChoose={onChoose} />
      </section>
      <Account rail={rail} onChoose={onChoose} />
    </nav>
  );
}

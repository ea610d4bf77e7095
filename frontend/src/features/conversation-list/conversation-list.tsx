/** The left column: where one is, what one wrote with, and who one is. As a rail only its buttons remain. */

import { useState } from "react";
import { texts } from "@/texts";
import { Account } from "./account";
import classes from "./conversation-list.module.css";
import { Chats } from "./chats";
import { Finding } from "./search-button";
import { Places } from "./nav-links";
import { WorkspaceSwitch } from "./workspace-switch";

interface Props {
  currentId: string | undefined;
  rail?: boolean;
  /** Something was chosen: on a small screen the list closes. */
  onChoose: () => void;
  onSearch: () => void;
}

export function ConversationList({ currentId, rail = false, onChoose, onSearch }: Props) {
  const [archived, setArchived] = useState(false);
  return (
    <nav className={classes.column} aria-label={texts.list.navigation}>
      <WorkspaceSwitch rail={rail} onChoose={onChoose} />
      <Places rail={rail} onChoose={onChoose} />
      <Finding rail={rail} onChoose={onChoose} onSearch={onSearch} />
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

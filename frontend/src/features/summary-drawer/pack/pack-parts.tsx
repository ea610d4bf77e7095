/** The pack's parts in order, with tokens and verbatim content. */

import type { ReactNode } from "react";
import clsx from "clsx";
import { type Context, layerOf, type MessageInPack } from "@/api/context";
import type { Layer } from "@/components/ui/context-bar";
import { PackTokens } from "../pack-tokens";
import { texts } from "@/texts";
import { audience } from "@/texts/audience";
import { drawerLists } from "@/texts/drawer-lists";
import { packing } from "@/texts/drawer-pack";
import { useDrawer } from "../drawer-context";
import { TextButton } from "@/components/ui/text-button";
import { MessageParts } from "./message-parts";
import classes from "./pack.module.css";

export function PackParts({ pack }: { pack: Context }) {
  const { tokens, omitted } = pack.metadata;
  const parts = texts.drawer.usage.leftOut;
  const notIncluded = omitted.identity.length + omitted.user_memory.length + omitted.preferences.length;
  return (
    <>
      <Part layer="system" tokens={tokens.system}>
        <SentText text={pack.system_prompt} />
        {pack.system_prompt === "" && tokens.system > 0 && (
          <OmittedNote>{drawerLists.layerItems.noSystem}</OmittedNote>
        )}
      </Part>
      <Part layer="user" tokens={tokens.identity + tokens.user_memory + tokens.preferences}>
        <SentText text={layerOf(pack, "L0_identity")?.text} />
        {pack.user_memory.map(({ id, key, content, type }) => (
          <p key={id} className={classes.verbatim}>
            {`${drawerLists.memory.types[type]}, ${key}: ${content}`}
          </p>
        ))}
        {layerOf(pack, "L1_global_prefs")?.memories.map(({ id, uri, text }) => (
          <p key={id} className={classes.verbatim}>
            {`[${uri}] ${text}`}
          </p>
        ))}
        {omitted.private_memory !== null && <OmittedNote>{audience.omitted}</OmittedNote>}
        {notIncluded > 0 && <OmittedNote>{parts.user_memory(notIncluded)}</OmittedNote>}
      </Part>
      <Part layer="pins" tokens={tokens.pinned_memory}>
        {pack.pinned_memory.map(({ id, content }) => (
          <p key={id} className={classes.verbatim}>
            {content}
          </p>
        ))}
      </Part>
      <MemoryPart
        layer="topics"
        tokens={tokens.topics}
        text={layerOf(pack, "L2_topic")?.text}
        omitted={omitted.topics}
      />
      <MemoryPart
        layer="entities"
        tokens={tokens.entities}
        text={layerOf(pack, "L3_entity")?.text}
        omitted={omitted.entities}
      />
      <Part layer="summary" tokens={tokens.rolling_summary}>
        <SentText text={layerOf(pack, "L4_conversation")?.text} />
        {omitted.summary_lines.length > 0 && (
          <OmittedNote>{parts.summary_lines(omitted.summary_lines.length)}</OmittedNote>
        )}
      </Part>
      <Part layer="earlier" tokens={tokens.earlier}>
        <SentText text={layerOf(pack, "L6_message_history")?.text} />
      </Part>
      <Part layer="recent" tokens={tokens.recent_messages}>
        {omitted.messages_before !== null && (
          <OmittedNote>{parts.messages_before(omitted.messages_before)}</OmittedNote>
        )}
        {pack.recent_messages.map((message) => (
          <PackMessage key={message.id} message={message} />
        ))}
      </Part>
      {pack.retrieved.length > 0 && (
        <Part layer="retrieved" tokens={tokens.just_in_time}>
          <SentText text={layerOf(pack, "L5_jit")?.text} />
          {omitted.retrieved.length > 0 && (
            <OmittedNote>{parts.retrieved(omitted.retrieved.length)}</OmittedNote>
          )}
        </Part>
      )}
      {pack.current_message && (
        <Part layer="current" tokens={tokens.current_message}>
          <PackMessage message={pack.current_message} />
        </Part>
      )}
    </>
  );
}

function Part({ layer, tokens, children }: { layer: Layer; tokens: number; children: ReactNode }) {
  const isEmpty = tokens === 0;
  return (
    <section className={classes.part}>
      <h3 className={classes.name}>
        <span className={clsx(classes.swatch, `p-${layer}`)} aria-hidden="true" />
        {texts.drawer.usage.layers[layer]}
        <span className={classes.tokens}>
          <PackTokens value={tokens} />
        </span>
      </h3>
      {children}
      {isEmpty && <p className={classes.quiet}>{packing.pack.empty}</p>}
    </section>
  );
}

interface MemoryPartProps {
  layer: Layer;
  tokens: number;
  text: string | undefined;
  omitted: readonly string[];
}

/** Memories about what the conversation is about; most packs have none. */
function MemoryPart({ layer, tokens, text, omitted }: MemoryPartProps) {
  if (tokens === 0 && omitted.length === 0) return null;
  return (
    <Part layer={layer} tokens={tokens}>
      <SentText text={text} />
      {omitted.length > 0 && (
        <OmittedNote>{texts.drawer.usage.leftOut.user_memory(omitted.length)}</OmittedNote>
      )}
    </Part>
  );
}

/** Byte for byte. */
function SentText({ text = "" }: { text?: string | undefined }) {
  return text === "" ? null : <p className={classes.verbatim}>{text}</p>;
}

function OmittedNote({ children }: { children: ReactNode }) {
  return <p className={classes.quiet}>{children}</p>;
}

function PackMessage({ message }: { message: MessageInPack }) {
  const { showMessage } = useDrawer();
  const words = packing.pack;
  const { index, role, name, content, parts, tokens, is_excerpt: isExcerpt } = message;
  return (
    <article className={classes.message}>
      <p className={classes.who}>
        <TextButton aria-label={drawerLists.exclusions.showName(index)} onClick={() => showMessage(index)}>
          {texts.chat.number(index)}
        </TextButton>
        <span>{name === "" ? words.roles[role] : `${words.roles[role]}, ${name}`}</span>
        <span className={classes.tokens}>
          <PackTokens value={tokens} />
        </span>
      </p>
      {content !== "" && <p className={classes.verbatim}>{content}</p>}
      <MessageParts parts={content === "" ? parts : parts.filter(({ kind }) => kind !== "text")} />
      {isExcerpt && <p className={classes.quiet}>{words.excerpt}</p>}
    </article>
  );
}

/** The content of an empty chat: an introduction for new users, otherwise a greeting. */

import { Button } from "@mantine/core";
import { BookOpen, Info, KeyRound, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Conversation } from "@/api/conversations";
import { type Me, isAllowed } from "@/api/session";
import { Logo } from "@/components/ui/logo";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { useShell } from "@/components/hooks/shell-context";
import { useDemoConversation } from "@/components/hooks/use-demo-conversation";
import { plural } from "@/lib/format";
import { texts } from "@/texts";
import classes from "./first-run.module.css";

const words = texts.tour;
const LOGO = 32;

export function FirstRun({ onSend }: { onSend: (content: string) => void }) {
  const { me } = useShell();
  const { sample, hasOthers } = useDemoConversation();
  if (hasOthers === undefined) return null;
  const isNew = !hasOthers;
  return (
    <section className={classes.welcome}>
      <Logo large={isNew} size={LOGO} />
      <h1>{isNew ? words.claim : words.hello(me.user.name)}</h1>
      <p>{isNew ? words.promise : words.helloAgain}</p>
      {isNew && <Cards sample={sample} me={me} />}
      {isNew && isAllowed(me, "write") && <Starters onSend={onSend} />}
      {!me.chat_model.configured && (
        <InlineAlert tone="info" icon={Info}>
          <strong>{words.noModelTitle}</strong> {words.noModel} {me.chat_model.reason}
        </InlineAlert>
      )}
    </section>
  );
}

function Starters({ onSend }: { onSend: (content: string) => void }) {
  return (
    <div className={classes.starters} role="group" aria-label={words.starters}>
      {words.starterTexts.map((text) => (
        <Button key={text} variant="default" size="compact-md" onClick={() => onSend(text)}>
          {text}
        </Button>
      ))}
    </div>
  );
}

function Cards({ sample, me }: { sample: Conversation | undefined; me: Me }) {
  const hasModel = me.chat_model.configured;
  const mayChoose = isAllowed(me, "manage_models");
  return (
    <div className={classes.cards}>
      {sample !== undefined && sample.message_count > 0 && (
        <Card
          icon={BookOpen}
          title={words.sampleTitle}
          text={words.sampleText(plural(sample.message_count, "message"))}
        >
          <Button component={Link} to={`/c/${sample.id}`} variant="filled" size="compact-md">
            {words.openSample}
          </Button>
        </Card>
      )}
      {!hasModel && (
        <Card
          icon={KeyRound}
          title={words.modelTitle}
          text={mayChoose ? words.modelText : words.modelByOthers}
        >
          {mayChoose && (
            <Button component={Link} to="/settings/models" size="compact-md">
              {words.openModels}
            </Button>
          )}
        </Card>
      )}
    </div>
  );
}

interface CardProps {
  icon: LucideIcon;
  title: string;
  text: string;
  children: ReactNode;
}

function Card({ icon: Icon, title, text, children }: CardProps) {
  return (
    <div className={classes.card}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}

/** User memory: what a person wrote to be sent with every chat, apart from the tree of what was learned. */

import { Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { useChangeUserMemory, type UserMemory, userMemoryQuery } from "@/api/user-memory";
import { Loading } from "@/components/feedback/loading";
import { toastProblem } from "@/components/feedback/toast";
import { useShell } from "@/components/hooks/shell-context";
import { useTitle } from "@/components/hooks/use-title";
import { Tag } from "@/components/ui/tag";
import { memory as texts } from "@/texts/memory";
import { mayWrite } from "../permissions";
import { LoadError } from "../query-boundary";
import shared from "../shared.module.css";
import classes from "./always.module.css";

const words = texts.always;

export function AlwaysPage() {
  useTitle(words.title);
  const { itemId } = useParams();
  const { data: items, error, refetch } = useQuery(userMemoryQuery);
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!items) return <Loading label={texts.tree.loading} />;
  return (
    <div className={shared.page}>
      <section className={shared.part}>
        <h2>{words.title}</h2>
        <p className={shared.hint}>{items.length === 0 ? words.empty : words.detail}</p>
        <ul className={classes.items}>
          {items.map((item) => (
            <Item key={item.id} item={item} isCurrent={item.id === itemId} />
          ))}
        </ul>
      </section>
    </div>
  );
}

function Item({ item, isCurrent }: { item: UserMemory; isCurrent: boolean }) {
  const change = useChangeUserMemory();
  const { me } = useShell();
  const { key, type, content, is_active: isActive } = item;
  const toggle = () => {
    if (!change.isPending)
      void change.mutateAsync({ memory: item, body: { is_active: !isActive } }).catch(toastProblem);
  };
  return (
    <li className={classes.item} aria-current={isCurrent || undefined}>
      <p className={classes.head}>
        <strong>{key}</strong>
        <Tag>{words.types[type] ?? type}</Tag>
        <Switch
          size="xs"
          aria-label={words.isActive(key)}
          checked={isActive}
          disabled={!mayWrite(me)}
          onChange={toggle}
        />
      </p>
      <p>{content}</p>
    </li>
  );
}

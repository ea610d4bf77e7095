import { ActionIcon, Tooltip, UnstyledButton } from "@mantine/core";
import { Search, SquarePen } from "lucide-react";
import { Link } from "react-router";
import { KeyCap } from "@/components/ui/key-cap";
import { texts } from "@/texts";
import classes from "./search-button.module.css";

interface Props {
  rail: boolean;
  onChoose: () => void;
  onSearch: () => void;
}

/** The buttons for search and a new chat. */
export function SearchButtons({ rail, onChoose, onSearch }: Props) {
  const search = () => {
    onChoose();
    onSearch();
  };
  return (
    <div className={classes.finding} data-rail={rail}>
      {rail ? (
        <Tooltip label={texts.list.search} position="right">
          <ActionIcon size={32} aria-label={texts.list.searchKeys} onClick={search}>
            <Search size={16} strokeWidth={1.75} />
          </ActionIcon>
        </Tooltip>
      ) : (
        <UnstyledButton className={classes.search} onClick={search}>
          <Search size={16} strokeWidth={1.75} aria-hidden="true" />
          <span>{texts.list.search}</span>
          <KeyCap keys="mod+K" />
        </UnstyledButton>
      )}
      <Tooltip label={texts.list.newChat} position="right">
        <ActionIcon
          component={Link}
          to="/"
          size={32}
          variant={rail ? "subtle" : "default"}
          aria-label={texts.list.newChat}
          onClick={onChoose}
        >
          <SquarePen size={16} strokeWidth={1.75} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

/** The address as links to its directories, with a copy button. */

import { ActionIcon } from "@mantine/core";
import { Copy } from "lucide-react";
import { Link } from "react-router";
import { toast } from "@/components/feedback/toast";
import { copyText } from "@/lib/clipboard";
import { memory } from "@/texts/memory";
import { nameOf, trailOf } from "../address";
import { folderPath } from "../routes";
import classes from "./node.module.css";

const words = memory.node;
const SCHEME = "mem://";

export function Breadcrumbs({ uri }: { uri: string }) {
  const trail = trailOf(uri);
  const copy = async () => {
    const done = await copyText(uri);
    toast(done ? words.copied : words.notCopied, { tone: done ? "ok" : "bad" });
  };
  return (
    <nav className={classes.crumbs} aria-label={words.breadcrumbs}>
      <span>{SCHEME}</span>
      <ol>
        {trail.map((one) => (
          <li key={one}>
            {one === uri ? (
              <span aria-current="page">{nameOf(one)}</span>
            ) : (
              <Link to={folderPath(one)}>{nameOf(one)}</Link>
            )}
          </li>
        ))}
      </ol>
      <ActionIcon size={24} aria-label={words.copy} onClick={() => void copy()}>
        <Copy size={14} strokeWidth={1.75} aria-hidden="true" />
      </ActionIcon>
    </nav>
  );
}

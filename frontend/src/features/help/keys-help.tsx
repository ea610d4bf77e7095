/** The keyboard shortcuts dialog, with the single-letter setting and a link to the tour. */

import { Button, Modal, Switch } from "@mantine/core";
import { Compass } from "lucide-react";
import { useState } from "react";
import { KeyCap } from "@/components/ui/key-cap";
import { useShell } from "@/components/hooks/shell-context";
import { writeStored, readStored } from "@/lib/local-storage";
import { texts } from "@/texts";
import { help } from "@/texts/help";
import { GROUPS, type KeyGroup } from "./key-list";
import classes from "./keys-help.module.css";

const words = help;
const SINGLE_KEYS = "single-keys";

interface Props {
  open: boolean;
  onClose: () => void;
}

export default function KeysHelp({ open, onClose }: Props) {
  return (
    <Modal
      opened={open}
      onClose={onClose}
      title={words.title}
      size={640}
      closeButtonProps={{ "aria-label": texts.common.close }}
      classNames={{ title: classes.title ?? "" }}
    >
      <Sheet onClose={onClose} />
    </Modal>
  );
}

function Sheet({ onClose }: { onClose: () => void }) {
  const { startTour } = useShell();
  const [areLettersEnabled, setLettersEnabled] = useState(() => readStored(SINGLE_KEYS, true));
  const toggle = (on: boolean) => {
    setLettersEnabled(on);
    writeStored(SINGLE_KEYS, on);
  };
  const tour = () => {
    onClose();
    startTour?.();
  };
  return (
    <>
      <div className={classes.groups}>
        {GROUPS.map((group) => (
          <Group key={group.title} group={group} />
        ))}
      </div>
      <div className={classes.foot}>
        <Switch
          checked={areLettersEnabled}
          onChange={(event) => toggle(event.currentTarget.checked)}
          label={words.singleKeys}
          description={words.singleKeysHint}
        />
        {startTour && (
          <Button leftSection={<Compass size={16} strokeWidth={1.75} aria-hidden="true" />} onClick={tour}>
            {words.tour}
          </Button>
        )}
      </div>
    </>
  );
}

function Group({ group: { title, hint, keys } }: { group: KeyGroup }) {
  return (
    <section className={classes.group}>
      <h3>{title}</h3>
      {hint !== undefined && <p>{hint}</p>}
      <dl>
        {keys.map(([action, ...names]) => (
          <div key={action}>
            <dt>{action}</dt>
            <dd>
              {names.map((name) => (
                <KeyCap key={name} keys={name} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

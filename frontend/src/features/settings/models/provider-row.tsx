/** One way to a model: whether it is ready and why not, its key, and what can be done about it. */

import { useId, useState } from "react";
import {
  type FoundBackend,
  type FoundState,
  type KeyedProvider,
  takesKey,
  useRemoveKey,
  useTestModel,
} from "@/api/models";
import { isAllowed } from "@/api/session";
import { Confirm } from "@/components/feedback/confirm";
import { useShell } from "@/components/hooks/shell-context";
import { Tag, type TagTone } from "@/components/ui/tag";
import { TextButton } from "@/components/ui/text-button";
import { toast, toastProblem } from "@/components/feedback/toast";
import { moment } from "@/lib/format";
import { settings } from "@/texts/settings";
import shared from "../shared.module.css";
import { KeyForm } from "./key-form";
import classes from "./models.module.css";
import { Tested } from "./test-result";

const words = settings.found;
const TONES: Record<FoundState, TagTone> = {
  ready: "ok",
  no_key: "plain",
  not_found: "plain",
  not_allowed: "plain",
  unreachable: "warn",
  unreadable_key: "bad",
};

type Doing = "entering" | "removing" | null;

export function FoundRow({ found }: { found: FoundBackend }) {
  const { me } = useShell();
  const [doing, setDoing] = useState<Doing>(null);
  const { backend, label, state, told } = found;
  const test = useTestModel(backend);
  const leave = () => setDoing(null);
  const begin = (next: Doing) => {
    test.reset();
    setDoing(next);
  };
  const deeds = {
    found,
    isTesting: test.isPending,
    onDo: begin,
    onTest: () => {
      leave();
      test.mutate();
    },
  };
  return (
    <li className={classes.row}>
      <div className={classes.first}>
        <h3>{label}</h3>
        <Tag tone={TONES[state]}>{words.states[state]}</Tag>
        {isAllowed(me, "manage_models") && backend !== "offline" && <Deeds {...deeds} />}
      </div>
      <p className={shared.told}>{told}</p>
      <Facts found={found} />
      <ModelNames found={found} />
      {doing === "entering" && takesKey(found) && <KeyForm provider={found} onLeave={leave} />}
      {doing === "removing" && takesKey(found) && <Removal provider={found} onLeave={leave} />}
      <Tested outcome={test.data} error={test.error} isStored />
    </li>
  );
}

interface DeedsProps {
  found: FoundBackend;
  isTesting: boolean;
  onDo: (doing: Doing) => void;
  onTest: () => void;
}

function Deeds({ found, isTesting, onDo, onTest }: DeedsProps) {
  const { label: name, state, key } = found;
  const test = isTesting ? words.testing : words.test;
  const isTestable = state === "ready" || state === "unreachable";
  return (
    <span className={classes.deeds}>
      {isTestable && (
        <TextButton aria-label={words.testName(test, name)} disabled={isTesting} onClick={onTest}>
          {test}
        </TextButton>
      )}
      {found.takes_key && (
        <TextButton
          aria-label={key === null ? words.addKeyName(name) : words.replaceKeyName(name)}
          onClick={() => onDo("entering")}
        >
          {key === null ? words.addKey : words.replaceKey}
        </TextButton>
      )}
      {key?.source === "workspace" && (
        <TextButton aria-label={words.removeKeyName(name)} onClick={() => onDo("removing")}>
          {words.removeKey}
        </TextButton>
      )}
    </span>
  );
}

function Facts({ found: { key, base_url: address } }: { found: FoundBackend }) {
  const facts = [
    ...(key === null ? [] : [words.keyEnds(key.last_four), words.from[key.source]]),
    ...(key?.tested_at ? [words.tested(moment(key.tested_at))] : []),
  ];
  if (facts.length === 0 && address === "") return null;
  return (
    <p className={classes.facts}>
      {facts.join(" · ")}
      {facts.length > 0 && address !== "" && " · "}
      {address !== "" && <code>{address}</code>}
    </p>
  );
}

function ModelNames({ found }: { found: FoundBackend }) {
  const [isOpen, setOpen] = useState(false);
  const list = useId();
  const { label: name, models } = found;
  if (models.length === 0) return null;
  return (
    <>
      <div>
        <TextButton
          aria-expanded={isOpen}
          aria-controls={list}
          aria-label={(isOpen ? words.hideModels : words.showModels)(models.length, name)}
          onClick={() => setOpen(!isOpen)}
        >
          {words.many(models.length)}
        </TextButton>
      </div>
      <ul id={list} className={classes.names} hidden={!isOpen}>
        {isOpen && models.map((model) => <li key={model}>{model}</li>)}
      </ul>
    </>
  );
}

interface RemovalProps {
  provider: KeyedProvider;
  onLeave: () => void;
}

function Removal({ provider, onLeave }: RemovalProps) {
  const { backend, label: name, key } = provider;
  const { mutateAsync, isPending } = useRemoveKey(backend);
  const remove = () => {
    const removed = () => {
      onLeave();
      toast(words.removed(name), { tone: "ok" });
    };
    void mutateAsync().then(removed, toastProblem);
  };
  return (
    <Confirm
      title={words.removeTitle(name, key?.last_four ?? "")}
      detail={words.removeDetail}
      deed={words.removeKey}
      isPending={isPending}
      onDo={remove}
      onLeave={onLeave}
    />
  );
}

/** One provider: its state, key, models and actions. */

import { useId, useState } from "react";
import {
  type ProviderStatus,
  type ProviderState,
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
import { TestResult } from "./test-result";

const words = settings.found;
const TONES: Record<ProviderState, TagTone> = {
  ready: "ok",
  no_key: "plain",
  not_found: "plain",
  not_allowed: "plain",
  unreachable: "warn",
  unreadable_key: "bad",
};

type OpenForm = "entering" | "removing" | null;

export function ProviderRow({ provider }: { provider: ProviderStatus }) {
  const { me } = useShell();
  const [openForm, setOpenForm] = useState<OpenForm>(null);
  const { backend, label, state, detail: stateText } = provider;
  const test = useTestModel(backend);
  const close = () => setOpenForm(null);
  const open = (next: OpenForm) => {
    test.reset();
    setOpenForm(next);
  };
  const actions = {
    provider,
    isTesting: test.isPending,
    onOpenForm: open,
    onTest: () => {
      close();
      test.mutate();
    },
  };
  return (
    <li className={classes.row}>
      <div className={classes.first}>
        <h3>{label}</h3>
        <Tag tone={TONES[state]}>{words.states[state]}</Tag>
        {isAllowed(me, "manage_models") && backend !== "offline" && <Actions {...actions} />}
      </div>
      <p className={shared.told}>{stateText}</p>
      <Facts provider={provider} />
      <ModelNames provider={provider} />
      {openForm === "entering" && takesKey(provider) && <KeyForm provider={provider} onClose={close} />}
      {openForm === "removing" && takesKey(provider) && <RemoveKey provider={provider} onClose={close} />}
      <TestResult outcome={test.data} error={test.error} isStored />
    </li>
  );
}

interface ActionsProps {
  provider: ProviderStatus;
  isTesting: boolean;
  onOpenForm: (openForm: OpenForm) => void;
  onTest: () => void;
}

function Actions({ provider, isTesting, onOpenForm, onTest }: ActionsProps) {
  const { label: name, state, key } = provider;
  const test = isTesting ? words.testing : words.test;
  const isTestable = state === "ready" || state === "unreachable";
  return (
    <span className={classes.deeds}>
      {isTestable && (
        <TextButton aria-label={words.testName(test, name)} disabled={isTesting} onClick={onTest}>
          {test}
        </TextButton>
      )}
      {provider.takes_key && (
        <TextButton
          aria-label={key === null ? words.addKeyName(name) : words.replaceKeyName(name)}
          onClick={() => onOpenForm("entering")}
        >
          {key === null ? words.addKey : words.replaceKey}
        </TextButton>
      )}
      {key?.source === "workspace" && (
        <TextButton aria-label={words.removeKeyName(name)} onClick={() => onOpenForm("removing")}>
          {words.removeKey}
        </TextButton>
      )}
    </span>
  );
}

function Facts({ provider: { key, base_url: address } }: { provider: ProviderStatus }) {
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

function ModelNames({ provider }: { provider: ProviderStatus }) {
  const [isOpen, setOpen] = useState(false);
  const list = useId();
  const { label: name, models } = provider;
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
  onClose: () => void;
}

function RemoveKey({ provider, onClose }: RemovalProps) {
  const { backend, label: name, key } = provider;
  const { mutateAsync, isPending } = useRemoveKey(backend);
  const remove = () => {
    const onRemoved = () => {
      onClose();
      toast(words.removed(name), { tone: "ok" });
    };
    void mutateAsync().then(onRemoved, toastProblem);
  };
  return (
    <Confirm
      title={words.removeTitle(name, key?.last_four ?? "")}
      detail={words.removeDetail}
      actionLabel={words.removeKey}
      isPending={isPending}
      onConfirm={remove}
      onCancel={onClose}
    />
  );
}

/** A short tour of the main features, which highlights what each step is about. It can be ended at any time. */

import { Tour as MantineTour } from "@mantine/core";
import { useEffect, useState } from "react";
import { useShell } from "@/components/hooks/shell-context";
import { useMedia } from "@/lib/media";
import { tourSteps as words } from "@/texts/tour-steps";
import classes from "./tour.module.css";

const RECHECK_MS = 250;
const WIDTH = 304;
const MARGINS = 60;

type StepName = keyof typeof words.steps;

const SIDES = { line: "left", pill: "bottom", bar: "left", source: "top-end", compact: "top" } as const;
const IN_DRAWER: readonly StepName[] = ["bar", "source", "compact"];

export default function Tour({ onEnd }: { onEnd: () => void }) {
  const { me, drawerOpen, setDrawerOpen } = useShell();
  const isWide = useMedia("(min-width: 1024px)");
  const withDrawer = isWide && me.features?.ui === true;
  // The newest message is rendered last.
  const ready = useElement("line");
  const steps: readonly StepName[] = withDrawer ? ["pill", ...IN_DRAWER, "line"] : ["pill", "line"];
  const opened = (step: number) => {
    // The window was too narrow for the drawer when the tour began.
    if (withDrawer && !drawerOpen && IN_DRAWER.includes(steps[step] ?? "pill")) setDrawerOpen(true);
  };
  return (
    <MantineTour
      active={ready}
      onClose={onEnd}
      onStepOpen={opened}
      withKeyboardNavigation={false}
      scrollToHandler={(element) => element.scrollIntoView({ block: "center" })}
      withCloseButton={false}
      maxWidth={Math.min(WIDTH, window.innerWidth - MARGINS)}
      zIndex={300}
      classNames={{
        tooltip: classes.card ?? "",
        body: classes.body ?? "",
        stepCounter: classes.counter ?? "",
      }}
      labels={{
        skip: words.skip,
        back: words.back,
        next: words.next,
        close: words.end,
        stepCounter: words.step,
      }}
    >
      {steps.map((name) => (
        <MantineTour.Step key={name} target={`[data-tour="${name}"]`} position={SIDES[name]}>
          <strong className={classes.title}>{words.steps[name].title}</strong>
          {words.steps[name].text}
        </MantineTour.Step>
      ))}
    </MantineTour>
  );
}

/** The first step's element may not be rendered yet. */
function useElement(name: StepName): boolean {
  const [target, setTarget] = useState(false);
  useEffect(() => {
    if (target) return;
    const timer = setInterval(
      () => setTarget(document.querySelector(`[data-tour="${name}"]`) !== null),
      RECHECK_MS,
    );
    return () => clearInterval(timer);
  }, [target, name]);
  return target;
}

/** What remains of the page when a part of it breaks: a sentence and a way on. */

import { Component, type ReactNode } from "react";
import { texts } from "@/texts";
import { Trouble } from "@/components/trouble";

export class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <Trouble
        title={texts.common.brokenTitle}
        detail={texts.common.brokenDetail}
        action={{ label: texts.common.reload, run: () => location.reload() }}
      />
    );
  }
}

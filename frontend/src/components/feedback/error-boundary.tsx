/** What remains of a part of the page when it breaks. It is drawn anew when `at` becomes another. */

import { Component, type ReactNode } from "react";

interface Props {
  children: ReactNode;
  /** Where one is: elsewhere nothing may be broken. */
  at?: string;
  fallback: (error: unknown) => ReactNode;
}

interface State {
  broken: { error: unknown } | null;
  at: string | undefined;
}

export class Boundary extends Component<Props, State> {
  override state: State = { broken: null, at: this.props.at };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { broken: { error } };
  }

  static getDerivedStateFromProps({ at }: Props, state: State): Partial<State> | null {
    return at === state.at ? null : { at, broken: null };
  }

  override render() {
    return this.state.broken === null ? this.props.children : this.props.fallback(this.state.broken.error);
  }
}

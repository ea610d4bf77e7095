/** An error boundary that resets when `resetKey` changes. */

import { Component, type ReactNode } from "react";

interface Props {
  children: ReactNode;
  /** The location, for example: an error on one page must not hide another. */
  resetKey?: string;
  fallback: (error: unknown) => ReactNode;
}

interface State {
  broken: { error: unknown } | null;
  resetKey: string | undefined;
}

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { broken: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { broken: { error } };
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { resetKey, broken: null };
  }

  override render() {
    return this.state.broken === null ? this.props.children : this.props.fallback(this.state.broken.error);
  }
}

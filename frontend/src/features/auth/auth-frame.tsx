/** The layout of the sign-in and sign-up pages. */

import { Info } from "lucide-react";
import type { ReactNode } from "react";
import { Link, Navigate, useLocation } from "react-router";
import { useQuery } from "@tanstack/react-query";
import { meQuery } from "@/api/session";
import { Loading } from "@/components/feedback/loading";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { useTitle } from "@/components/hooks/use-title";
import { auth } from "@/texts/auth";
import { AuthCard } from "./auth-card";
import classes from "./auth-frame.module.css";

interface Props {
  title: string;
  other: { question: string; label: string; to: string };
  children: ReactNode;
}

interface Arrival {
  from?: string;
  ended?: boolean;
}

export function AuthFrame({ title, other, children }: Props) {
  const { data: me, isPending } = useQuery(meQuery);
  const { state } = useLocation() as { state: Arrival | null };
  useTitle(title);
  if (isPending) return <Loading />;
  if (me) return <Navigate to={state?.from ?? "/"} replace />;
  return (
    <AuthCard title={title}>
      <p className={classes.claim}>{auth.claim}</p>
      {state?.ended === true && (
        <InlineAlert tone="info" icon={Info} title={`${auth.endedTitle}.`}>
          {auth.ended}
        </InlineAlert>
      )}
      {children}
      <p className={classes.other}>
        {other.question}{" "}
        <Link to={other.to} state={state}>
          {other.label}
        </Link>
      </p>
    </AuthCard>
  );
}

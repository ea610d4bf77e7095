/** One member: name, address and role, with the actions that the reader may take. */

import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { type Member, type Role, useChangeRole, useRemoveMember } from "@/api/members";
import { Confirm } from "@/components/feedback/confirm";
import { toast, toastProblem } from "@/components/feedback/toast";
import { useShell } from "@/components/hooks/shell-context";
import { Tag } from "@/components/ui/tag";
import { TextButton } from "@/components/ui/text-button";
import { date } from "@/lib/format";
import { members } from "@/texts/members";
import classes from "./members.module.css";
import { mayManage, roleOptions } from "./roles";

export function MemberRow({ member }: { member: Member }) {
  const { me } = useShell();
  const [isRemoving, setRemoving] = useState(false);
  const isMe = member.user_id === me.user.id;
  const canManage = !isMe && mayManage(me, member.role);
  return (
    <li className={classes.row}>
      <div className={classes.line}>
        <div className={classes.person}>
          <p className={classes.name}>
            {nameOf(member)} {isMe && <Tag>{members.you}</Tag>}
          </p>
          <p className={classes.facts}>
            {member.email} · {members.joined(date(member.created_at))}
          </p>
        </div>
        {canManage ? <RoleSelect member={member} /> : <span>{members.roles[member.role]}</span>}
        {canManage && (
          <TextButton
            aria-label={members.removeName(nameOf(member))}
            aria-expanded={isRemoving}
            onClick={() => setRemoving(true)}
          >
            {members.remove}
          </TextButton>
        )}
      </div>
      {isRemoving && <RemoveMember member={member} onClose={() => setRemoving(false)} />}
    </li>
  );
}

function RoleSelect({ member }: { member: Member }) {
  const { me } = useShell();
  const { mutateAsync, isPending, variables } = useChangeRole();
  const change = (role: Role) => {
    const onChanged = () => toast(members.roleChanged(nameOf(member), role), { tone: "ok" });
    void mutateAsync({ member, role }).then(onChanged, toastProblem);
  };
  return (
    <NativeSelect
      aria-label={members.roleOf(nameOf(member))}
      data={roleOptions(me)}
      value={isPending ? variables.role : member.role}
      disabled={isPending}
      onChange={({ currentTarget }) => change(currentTarget.value as Role)}
    />
  );
}

function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const { mutateAsync, isPending } = useRemoveMember();
  const name = nameOf(member);
  const remove = () => {
    const onRemoved = () => {
      onClose();
      toast(members.removed(name), { tone: "ok" });
    };
    void mutateAsync(member).then(onRemoved, toastProblem);
  };
  return (
    <Confirm
      title={members.removeTitle(name)}
      detail={members.removeDetail}
      actionLabel={members.remove}
      isPending={isPending}
      onConfirm={remove}
      onCancel={onClose}
    />
  );
}

function nameOf({ name, email }: Member): string {
  return name === "" ? email : name;
}

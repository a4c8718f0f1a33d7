import { Check, Folder } from "lucide-react";
import { useForm, useWatch } from "react-hook-form";
import { visibleLine } from "#lib/visible-text.ts";
import { useProjects } from "#runs/ledger/use-ledger.ts";
import { useChat, useChatState } from "#text/chat.ts";
import { Button } from "#ui/button.tsx";
import { TextInput } from "#ui/field.tsx";
import { toast } from "#ui/toast-store.ts";
import type { PlaygroundDialog } from "../use-dialog.ts";

interface Props<Kind extends PlaygroundDialog["kind"]> {
  dialog: Extract<PlaygroundDialog, { kind: Kind }>;
  onClose: () => void;
}

/** Gives a chat another title. */
export function RenameConversation({ dialog, onClose }: Props<"rename">) {
  const { conversations } = useChat();
  const { register, handleSubmit } = useForm({ defaultValues: { title: dialog.title } });
  const rename = handleSubmit(({ title }) => {
    if (title.trim() !== "") void conversations.loadAndDispatch(dialog.id, { kind: "renamed", title });
    onClose();
  });
  return (
    <form className="flex gap-2 pt-0.5" onSubmit={rename}>
      <TextInput aria-label="Title" autoComplete="off" className="min-w-0 flex-1" {...register("title")} />
      <Button type="submit" variant="primary">
        Rename
      </Button>
    </form>
  );
}

/** Moves a chat into a project, or out of one. Its next responses are spent on the project. */
export function MoveConversation({ dialog: { id }, onClose }: Props<"move">) {
  const { conversations } = useChat();
  const { projects, create, choose, current } = useProjects();
  const projectId = useChatState(({ summaries }) => summaries?.find((summary) => summary.id === id)?.projectId);
  const { control, register, handleSubmit, formState } = useForm({ defaultValues: { name: "" } });
  const isEmpty = useWatch({ control, name: "name" }).trim() === "";
  const move = (toProjectId: string | undefined) => {
    void conversations.loadAndDispatch(id, { kind: "moved", projectId: toProjectId });
    onClose();
  };
  const createAndMove = handleSubmit(async ({ name }) => {
    if (name.trim() === "") return;
    try {
      const createdId = await create(name);
      // `create` also makes the new project the current one. Moving a chat must not change that.
      await choose(current?.id);
      if (createdId !== undefined) move(createdId);
    } catch {
      toast({ title: "Couldn’t save the project", body: "Try again.", tone: "error" });
    }
  });
  return (
    <div className="flex flex-col gap-4 pt-0.5">
      <ul aria-label="Projects" className="m-0 flex list-none flex-col p-0">
        <ProjectRow name="No project" isChosen={projectId === undefined} onChoose={() => move(undefined)} />
        {projects.map((project) => (
          <ProjectRow
            key={project.id}
            name={visibleLine(project.name)}
            isChosen={project.id === projectId}
            onChoose={() => move(project.id)}
          />
        ))}
      </ul>
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          // A second Enter would make a second project.
          if (formState.isSubmitting) event.preventDefault();
          else void createAndMove(event);
        }}
      >
        <TextInput
          aria-label="New project"
          placeholder="New project"
          autoComplete="off"
          className="min-w-0 flex-1"
          {...register("name")}
        />
        <Button type="submit" aria-disabled={isEmpty}>
          Create and move
        </Button>
      </form>
      <p className="m-0 text-xs text-ink-3">New spending goes to this project. Past spending isn’t moved.</p>
    </div>
  );
}

function ProjectRow({ name, isChosen, onChoose }: { name: string; isChosen: boolean; onChoose: () => void }) {
  return (
    <li>
      <button
        type="button"
        aria-current={isChosen || undefined}
        onClick={onChoose}
        className="flex min-h-9 w-full cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-left hover:bg-hover pointer-coarse:min-h-11 aria-[current=true]:font-medium"
      >
        <Folder aria-hidden className="size-4 shrink-0 text-ink-3" />
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {name}
        </span>
        {isChosen && <Check aria-hidden className="size-4 shrink-0 text-accent-text" />}
      </button>
    </li>
  );
}

import { skipToken, useQuery } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { FolderOpen, Link2, Save } from "lucide-react";
import { useRef, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { getTemplateSteps, plannedStepGroup } from "#batch/rows/batch-steps.ts";
import { MODEL_NOT_AVAILABLE } from "#batch/rows/carry-axes.ts";
import { roomProblem, withGroup } from "#batch/rows/group-runs.ts";
import { openTemplate } from "#batch/rows/open-recipe.ts";
import { readTemplate, type Template, templateModels, writeTemplate } from "#batch/rows/read-recipe.ts";
import { createTemplate, storedTemplates, templateLink, unpackTemplate } from "#batch/rows/recipe.ts";
import { useApi } from "#connection/client.ts";
import { getConnection } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { useNamedList } from "#connection/named-list.ts";
import { counted } from "#lib/numbers.ts";
import type { Privacy } from "#lib/redact-secret.ts";
import { formatDate } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { blockedHost, foreignHost } from "#media/known-hosts.ts";
import { ownAddresses } from "#media/upload/upload-memory.ts";
import { modelQueries } from "#models/model-queries.ts";
import { useModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { Batch } from "#storage/stored-batches.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Field, TextInput } from "#ui/field.tsx";
import { NamedRows, SaveAs } from "#ui/named-list.tsx";
import { Notice } from "#ui/notice.tsx";
import { toast } from "#ui/toast-store.ts";
import type { RunTarget, SourceProps } from "../batch-document.ts";
import { batchCommands } from "../commands.ts";
import { ModelField, ModelName } from "./models-editor.tsx";

/** Larger files are refused before they are read into memory. */
const MAX_BYTES = 10_000_000;

/**
 * The saved templates, and ways to open one from a file or a link. An opened template is a dialog of its own, because a link opens it
 * without this list.
 */
export function TemplatesDialog({ target, onClose }: SourceProps & { onClose: () => void }) {
  const [opened, setOpened] = useState<Template>();
  const list = useNamedList(storedTemplates);
  const copyLink = useCopyTemplateLink();
  if (opened) return <OpenTemplateDialog template={opened} target={target} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Templates"
      description="Reusable batches. Opening one adds its runs as drafts."
    >
      <div className="mb-4">
        <NamedRows
          list={list}
          noun="template"
          verb="Open"
          empty={<p className="m-0 text-ink-2">No templates yet. Save a batch as a template to reuse it.</p>}
          onUse={({ recipe }) => setOpened(recipe)}
          aside={({ savedAtMs }) => <span className="max-sm:hidden">{formatDate(savedAtMs / 1000)}</span>}
          acts={({ recipe }, name) => (
            <>
              <IconButton label={`Copy link to ${name}`} onClick={() => void copyLink(recipe)}>
                <Link2 aria-hidden="true" className="size-4" />
              </IconButton>
              <IconButton label={`Download ${name}`} onClick={() => saveTemplateFile(recipe)}>
                <Save aria-hidden="true" className="size-4" />
              </IconButton>
            </>
          )}
        />
      </div>
      <OpenElsewhere onOpen={setOpened} />
    </Dialog>
  );
}

function OpenElsewhere({ onOpen }: { onOpen: (template: Template) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const { control, register, handleSubmit, setError, formState } = useForm({ defaultValues: { link: "" } });
  const isEmpty = useWatch({ control, name: "link" }).trim() === "";
  const problem = formState.errors.root?.message;
  function handleRead(read: ReturnType<typeof readTemplate>) {
    if (read.problem !== undefined) setError("root", { message: read.problem });
    if (read.template) onOpen(read.template);
  }
  async function openFile(file: File) {
    const name = visibleLine(file.name, 60);
    if (file.size > MAX_BYTES) return handleRead({ problem: `${name} is too large for a template.` });
    handleRead(await file.text().then(readTemplate, () => ({ problem: `${name} couldn’t be read. Choose it again.` })));
  }
  const openLink = handleSubmit(async (values) => {
    const link = values.link.trim();
    if (link === "") return;
    const words = URL.canParse(link) ? new URL(link).searchParams.get("recipe") : null;
    handleRead(words === null ? { problem: "This link has no template." } : await unpackTemplate(words));
  });
  return (
    <form className="flex flex-col gap-3 border-line border-t pt-4" onSubmit={openLink}>
      <Button className="self-start" onClick={() => input.current?.click()}>
        <FolderOpen aria-hidden="true" className="size-4" />
        Open file
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="Template file to open"
        tabIndex={-1}
        className="hidden"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file) void openFile(file);
        }}
      />
      <Field label="Or paste a link" errorless>
        {({ id, describedBy }) => (
          <div className="flex gap-2">
            <TextInput
              mono
              id={id}
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              aria-describedby={describedBy}
              {...register("link")}
            />
            <Button type="submit" aria-disabled={isEmpty}>
              Open
            </Button>
          </div>
        )}
      </Field>
      {problem !== undefined && (
        <Notice tone="error" title="Template not opened">
          {problem} Nothing was changed.
        </Notice>
      )}
    </form>
  );
}

/** Downloads a template as a file. */
function saveTemplateFile(template: Template): void {
  const name =
    template.name
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "recipe";
  saveBlob(new Blob([writeTemplate(template)], { type: "application/json" }), `${name.toLowerCase()}.recipe.json`);
}

/** Copies a link to a template, which anyone with an own key can open. A toast says whether that worked. */
function useCopyTemplateLink(): (template: Template) => Promise<void> {
  const router = useRouter();
  return async (template) => {
    const { publicHref } = router.buildLocation({ to: "/batch", search: {} });
    const { link, problem } = await templateLink(
      template,
      new URL(publicHref, location.href).href.replace(/[?#].*$/, ""),
    );
    if (link === undefined) {
      toast({ tone: "warning", title: "Couldn’t copy the link", body: problem });
      return;
    }
    try {
      await navigator.clipboard.writeText(link);
      toast({ title: "Link copied", body: "The link has the template, but no API key and no files from this device." });
    } catch {
      toast({ tone: "warning", title: "Couldn’t copy the link" });
    }
  };
}

interface OpenTemplateDialogProps {
  template: Template;
  target: RunTarget;
  onClose: () => void;
}

/** Shows what a template would add: its models, replacements for models that are gone, and what differs from the template. */
function OpenTemplateDialog({ template, target, onClose }: OpenTemplateDialogProps) {
  const ids = useQuery(modelQueries(useApi()).ids());
  const { control, setValue, handleSubmit, formState } = useForm<{ replaced: Readonly<Record<string, string>> }>({
    defaultValues: { replaced: {} },
  });
  const replaced = useWatch({ control, name: "replaced" });
  const models = templateModels(template);
  const modelIds = ids.data && new Set(ids.data);
  const gone = modelIds ? models.filter((model) => !modelIds.has(model)) : [];
  const listed = models.filter((model) => modelIds?.has(model));
  const schemas = useModelSchemas([...listed, ...Object.values(replaced)]);
  const opened = openTemplate(template, { modelIds, schemas }, replaced);
  const count = opened.groups.reduce((sum, { runs }) => sum + runs.length, 0);
  const room = roomProblem(target.batch, undefined, count);
  const isLoading = opened.isLoading === true || (modelIds === undefined && !ids.error);
  const isEmpty = count === 0 && opened.groups.every(({ group }) => group.axes === undefined);
  const canAdd = !isLoading && room === undefined && !isEmpty && !formState.isSubmitting;
  // Not the sentences about models that are gone, which stand beside the choice of a replacement.
  const notes = opened.notes.filter((note) => !note.startsWith(MODEL_NOT_AVAILABLE));
  function add() {
    const change = (batch: Batch): Batch => {
      const withGroups = opened.groups.reduce((current, { group, runs }) => withGroup(current, group, runs), batch);
      const steps = opened.steps.map((step, at) => plannedStepGroup(step, at + 2));
      const planned = { ...withGroups, groups: [...withGroups.groups, ...steps] };
      return batch.items.length === 0 ? { ...planned, rules: opened.rules } : planned;
    };
    if (target.put(change, visibleLine(opened.name, 120) || "Template")) onClose();
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Open ${visibleLine(template.name, 80) || "template"}`}
      footer={
        <>
          <p role="status" className="m-0 me-auto self-center text-ink-2 tabular-nums">
            {isLoading ? "Loading parameters…" : counted(count, "run")}
          </p>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" aria-disabled={!canAdd} onClick={handleSubmit(add)}>
            {target.batch.items.length === 0 ? "Open" : `Add ${counted(count, "run")}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {ids.error && <ErrorNotice error={ids.error} operation="read" onRetry={() => void ids.refetch()} />}
        {listed.length > 0 && (
          <ul aria-label="Models" className="m-0 flex list-none flex-wrap gap-2 p-0">
            {listed.map((model) => (
              <li key={model} className="flex min-h-8 items-center gap-2 rounded-sm bg-raised px-2.5">
                <ModelName model={model} />
              </li>
            ))}
          </ul>
        )}
        {gone.map((model) => (
          <Notice key={model} tone="warning" title={`${MODEL_NOT_AVAILABLE}: ${visibleLine(model, 80)}`}>
            <p className="m-0 mb-2">
              Choose another model for its runs. Matching settings are copied. Without one, these runs stay in the table
              and can’t be run.
            </p>
            <ModelField
              label="Use instead"
              model={Object.hasOwn(replaced, model) ? replaced[model] : undefined}
              onChange={(next) => setValue("replaced", { ...replaced, [model]: next })}
            />
          </Notice>
        ))}
        {(notes.length > 0 || room !== undefined) && (
          <Notice tone="info" title={room === undefined ? "Some settings changed" : "Not enough room in this batch"}>
            <ul className="m-0 list-none p-0">
              {[...(room === undefined ? [] : [room]), ...notes].map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </Notice>
        )}
        {opened.steps.length > 0 && (
          <p className="m-0 text-ink-2">
            {counted(opened.steps.length, "next step is", "next steps are")} planned. Select results in the contact
            sheet to continue.
          </p>
        )}
        {isEmpty && !isLoading && <p className="m-0 text-ink-2">This template has no runs.</p>}
      </div>
    </Dialog>
  );
}

/** Saves a batch as a template: under a name, as a file, or as a link. */
export function SaveTemplateDialog({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const template = useTemplate(batch);
  const list = useNamedList(storedTemplates);
  const copyLink = useCopyTemplateLink();
  const leftOut = template?.leftOut ?? 0;
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(open) => !open && onClose()}
      title={batchCommands.saveTemplate.label}
      description="Saves models, settings and parameters. Prices, jobs, and files that are private or expire are excluded."
    >
      <SaveAs
        list={list}
        noun="template"
        initial={batch.name}
        hint={counted(batch.items.length, "run")}
        make={(name) => template && { name, savedAtMs: Date.now(), recipe: { ...template, name } }}
        onSaved={({ name }) => {
          toast({ title: `Template saved: ${name}` });
          onClose();
        }}
        acts={(stored) => (
          <>
            <Button aria-disabled={!stored} onClick={() => stored && void copyLink(stored.recipe)}>
              <Link2 aria-hidden="true" className="size-4" />
              Copy link
            </Button>
            <Button aria-disabled={!stored} onClick={() => stored && saveTemplateFile(stored.recipe)}>
              <Save aria-hidden="true" className="size-4" />
              Download
            </Button>
          </>
        )}
      >
        {leftOut > 0 && (
          <p role="status" className="m-0 mb-3 text-sm text-ink-2">
            {counted(leftOut, "value is", "values are")} excluded because a file is private or expires.
          </p>
        )}
      </SaveAs>
    </Dialog>
  );
}

/** The template of a batch; undefined until it is known what must be left out. */
function useTemplate(batch: Batch): Template | undefined {
  const { data: privacy } = useQuery({
    queryKey: ["template-privacy"],
    queryFn: templatePrivacy,
    gcTime: 0,
    retry: false,
  });
  const models = [...new Set(batch.groups.flatMap(({ axes }) => axes?.models ?? []))];
  const schemas = useModelSchemas(models);
  if (!privacy || [...schemas.values()].some(({ state }) => state === "loading")) return undefined;
  const steps = getTemplateSteps(batch);
  return createTemplate(batch, { ...privacy, schemas, ...(steps.length > 0 ? { steps } : {}) });
}

/** Decides what is too private for a template of the current account. */
async function templatePrivacy(): Promise<Privacy> {
  const connection = getConnection();
  return {
    keyShape: connection?.keyShape,
    // If they cannot be read, `isExpiring` still finds the files that the service stores.
    ownAddresses: await ownAddresses(connection?.accountId ?? "").catch(() => new Set<string>()),
    // The service's hosts delete files after a time (spec 8), and so does the sandbox, which stores them on this page's host.
    isExpiring: (address) => foreignHost(address) === undefined || blockedHost(address) === undefined,
  };
}

const route = getRouteApi("/studio/batch");

/** Opens the template of the address once. Closing the dialog in any way removes it from the address. */
export function TemplateLink({ target }: { target: RunTarget }) {
  const { recipe: words } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: read } = useQuery({
    queryKey: ["template-link", words],
    queryFn: words === undefined ? skipToken : () => unpackTemplate(words),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (words === undefined || read === undefined) return null;
  const close = () => void navigate({ to: "/batch", search: {}, replace: true });
  if (read.template) return <OpenTemplateDialog template={read.template} target={target} onClose={close} />;
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(open) => !open && close()}
      title="Template not opened"
      description={`${read.problem} Nothing was changed.`}
      footer={
        <Button variant="primary" onClick={close}>
          Close
        </Button>
      }
    />
  );
}

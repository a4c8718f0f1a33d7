import { useLocation } from "@tanstack/react-router";
import { FolderOpen } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { aboutHost, isServedByHost, useHostState } from "#connection/relay.ts";
import { counted } from "#lib/numbers.ts";
import {
  allowArchiveFolder,
  archiveFolder,
  canPickFolder,
  chooseArchiveFolder,
  forgetArchiveFolder,
  useArchiveFolder,
} from "#media/download/archive-folder.ts";
import {
  DEFAULT_NAME_TEMPLATE,
  mediaFileName,
  NAME_TOKENS,
  setNameTemplate,
  useNameTemplate,
} from "#media/download/file-name.ts";
import { allowNotifications, setAlertChoice, useAlertChoice } from "#results/alerts/alert-store.ts";
import { setArchiving, useArchive } from "#results/archive/archive-store.ts";
import { Button, buttonClass } from "#ui/button.tsx";
import { Switch } from "#ui/checkbox.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { runCommand, studioCommands } from "#ui/commands.ts";
import { Field, TextInput } from "#ui/field.tsx";
import { setSingleKeys, useKeyChoices } from "#ui/keys.ts";
import { PageBar } from "#ui/page-bar.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { toast } from "#ui/toast-store.ts";
import { ConnectionSettings, CUSTODY_LEAD } from "./connection-settings.tsx";
import { DiagnosticsSection } from "./diagnostics-section.tsx";
import { SandboxHelp, SandboxLimits, SandboxQuirks } from "./sandbox-sections.tsx";
import { SandboxSpeed, sandboxSettingsUrl } from "./sandbox-settings.tsx";
import { StorageSettings } from "./storage-settings.tsx";
import { setThemeChoice, useThemeChoice } from "./theme-store.ts";

/** `/settings`: everything that a person can set for this browser, the connection, and the sandbox. */
export function SettingsScreen() {
  const connection = useConnection();
  const hasPassword = useHasPassword();
  return (
    <>
      <PageBar title="Settings" />
      <div className="mx-auto max-w-220 px-4.5 pb-12 max-sm:px-4">
        <SettingsSection anchor="theme" title="Theme" lead="Saved in this browser.">
          <ThemeSetting />
        </SettingsSection>
        <SettingsSection
          title="When a job finishes"
          lead="Alerts appear only while you’re away. The tab’s title and icon always show finished jobs."
        >
          <FinishAlertSettings />
        </SettingsSection>
        <SettingsSection anchor="downloads" title="Downloads" lead="File names, and a folder for finished jobs.">
          <NameTemplateField />
          <div className="mt-5">
            <ArchiveSettings />
          </div>
        </SettingsSection>
        <SettingsSection title="Keyboard" anchor="keyboard">
          <KeyboardSettings />
        </SettingsSection>
        {connection && (
          <SettingsSection
            anchor="connection"
            title="Connection"
            lead={CUSTODY_LEAD[connection.isSandbox ? "page" : connection.custody]}
          >
            <ConnectionSettings connection={connection} />
          </SettingsSection>
        )}
        {hasPassword && (
          <SettingsSection title="Access" lead="You signed in with a password.">
            <AccessSettings />
          </SettingsSection>
        )}
        {connection && (
          <SettingsSection
            anchor="local-data"
            title="Local data"
            lead="What this browser saves for this key. The key isn’t included."
          >
            <StorageSettings />
          </SettingsSection>
        )}
        {connection && (
          <SettingsSection anchor="diagnostics" title="Diagnostics" lead="Information for support.">
            <DiagnosticsSection />
          </SettingsSection>
        )}
        <SettingsSection title="About">
          <p className="m-0 max-w-[60ch] text-ink-2">
            Safelight runs hosted image, video, audio and text models from your browser. It has no accounts and no
            tracking, and it talks only to the URLs you connect. Free software under the MIT license.
          </p>
          <p className="m-0 mt-2">
            <a
              href={`${import.meta.env.BASE_URL}licences/third-party.txt`}
              target="_blank"
              rel="noopener noreferrer"
              className="underline"
            >
              Third-party licenses
            </a>
          </p>
        </SettingsSection>
        {/* Last, because these lists for developers are longer than everything else. */}
        {connection?.isSandbox && (
          <>
            <SettingsSection
              anchor="sandbox"
              title="Sandbox speed"
              lead="At 1×, most videos take 1 to 5 min and most images less than 30 s."
            >
              <SandboxSpeed connection={connection} className="max-w-90" />
            </SettingsSection>
            <SettingsSection title="Sandbox behavior" lead="Simulate how other services behave.">
              <SandboxQuirks settingsUrl={sandboxSettingsUrl(connection)} />
            </SettingsSection>
            <SettingsSection title="Sandbox inputs" lead="Enter these to trigger errors.">
              <SandboxHelp />
            </SettingsSection>
            <SettingsSection title="Sandbox limits" lead="What the sandbox simulates or doesn’t do.">
              <SandboxLimits />
            </SettingsSection>
          </>
        )}
      </div>
    </>
  );
}

interface SettingsSectionProps {
  title: string;
  /** The hash of its address, such as `/settings#keyboard`. The palette has links to it. */
  anchor?: string | undefined;
  /** A sentence below the title. */
  lead?: ReactNode;
  children: ReactNode;
}

/** One section: in a wide window its title is on the left and its controls are on the right. */
function SettingsSection({ title, anchor, lead, children }: SettingsSectionProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const isLinked = useLocation({ select: ({ hash }) => hash !== "" && hash === anchor });
  useEffect(() => {
    if (isLinked) heading.current?.focus();
  }, [isLinked]);
  return (
    <section
      id={anchor}
      aria-labelledby={id}
      className="grid scroll-mt-16 gap-x-8 gap-y-3 border-line border-b py-6 last:border-0 lg:grid-cols-[--spacing(55)_minmax(0,1fr)]"
    >
      <div>
        <h2 ref={heading} id={id} tabIndex={-1} className="m-0 font-semibold text-base">
          {title}
        </h2>
        {lead && <p className="m-0 mt-1 text-sm text-ink-3 leading-snug">{lead}</p>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

const CHOICES = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

/** Light, dark, or the setting of the device. */
function ThemeSetting() {
  const choice = useThemeChoice();
  return <Segmented label="Theme" options={CHOICES} value={choice} onChange={setThemeChoice} className="max-w-90" />;
}

/** Whether the Safelight server asked for a password. False until the host has answered. */
function useHasPassword(): boolean {
  useEffect(() => {
    if (isServedByHost()) aboutHost().catch(() => {});
  }, []);
  return useHostState(({ about }) => about?.hasPassword === true);
}

/** The link to the server's page that signs this browser out. */
export function AccessSettings() {
  return (
    <a href="/access" className={buttonClass({ size: "sm" })}>
      Sign out
    </a>
  );
}

/** Two switches: what happens when a job finishes while the person is away. The tab's title always shows it. */
function FinishAlertSettings() {
  const { notify, sound } = useAlertChoice();
  const [isRefused, setIsRefused] = useState(false);
  const notifyId = useId();
  const soundId = useId();
  async function setNotify(wanted: boolean) {
    const isAllowed = !wanted || (await allowNotifications());
    setIsRefused(!isAllowed);
    setAlertChoice({ notify: wanted && isAllowed });
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Switch id={notifyId} checked={notify} onChange={(event) => void setNotify(event.target.checked)} />
        <label htmlFor={notifyId}>Show notification</label>
      </div>
      {isRefused && (
        <p role="status" className="m-0 text-sm text-ink-3">
          This browser blocks notifications from this site. Allow them in its site settings.
        </p>
      )}
      <div className="flex items-center gap-3">
        <Switch id={soundId} checked={sound} onChange={(event) => setAlertChoice({ sound: event.target.checked })} />
        <label htmlFor={soundId}>Play sound</label>
      </div>
    </div>
  );
}

/** The switch for single-key shortcuts, and buttons for the list of shortcuts and the command palette. */
export function KeyboardSettings() {
  const singleKeys = useKeyChoices((choices) => choices.singleKeys);
  const id = useId();
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Switch
          id={id}
          aria-describedby={`${id}-hint`}
          checked={singleKeys}
          onChange={(event) => setSingleKeys(event.currentTarget.checked)}
        />
        <label htmlFor={id}>Single-key shortcuts</label>
      </div>
      <p id={`${id}-hint`} className="m-0 max-w-[60ch] text-sm text-ink-3">
        Single letters run commands, such as D for Download. They’re off while you type.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => runCommand(studioCommands.help.id)} {...useCommandProps(studioCommands.help)}>
          {studioCommands.help.label}
          <Kbd command={studioCommands.help} />
        </Button>
        <Button
          size="sm"
          onClick={() => runCommand(studioCommands.palette.id)}
          {...useCommandProps(studioCommands.palette)}
        >
          {studioCommands.palette.label}
          <Kbd command={studioCommands.palette} />
        </Button>
      </div>
    </div>
  );
}

/** The folder into which every finished job is saved automatically, before it expires after 60 days. */
export function ArchiveSettings() {
  const { phase, folder } = useArchiveFolder();
  const { isOn, saved, failed, reason } = useArchive();
  const switchId = useId();
  useEffect(() => void archiveFolder(), []);
  if (!canPickFolder()) {
    return (
      <p className="m-0 text-sm text-ink-3">
        This browser doesn’t let pages write to a folder. In History, you can download all files as one zip.
      </p>
    );
  }
  async function choose() {
    try {
      if (await chooseArchiveFolder()) setArchiving(true);
    } catch {
      toast({ tone: "error", title: "Couldn’t use this folder", body: "The browser didn’t allow access to it." });
    }
  }
  async function forget() {
    setArchiving(false);
    await forgetArchiveFolder().catch(() => undefined);
  }
  return (
    <div className="grid justify-items-start gap-3">
      <div className="flex items-center gap-3">
        <Switch
          id={switchId}
          checked={isOn && folder !== undefined}
          disabled={folder === undefined}
          onChange={(event) => setArchiving(event.target.checked)}
        />
        <label htmlFor={switchId}>Save finished jobs to a folder</label>
      </div>
      <p className="m-0 max-w-140 text-sm text-ink-3">
        Includes jobs that scripts or other browsers submitted with the same key, once History has listed them. Files
        that expire soonest are saved first.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => void choose()}>
          <FolderOpen aria-hidden className="size-4" />
          {folder ? "Choose another folder" : "Choose folder"}
        </Button>
        {phase === "asking" && (
          <Button size="sm" variant="primary" onClick={() => void allowArchiveFolder()}>
            Allow access
          </Button>
        )}
        {folder && (
          <Button size="sm" variant="ghost" onClick={() => void forget()}>
            Remove folder
          </Button>
        )}
      </div>
      <p role="status" className="m-0 text-sm text-ink-3">
        {folder && (phase === "asking" ? `Waiting for access to ${folder.name}.` : `Folder: ${folder.name}.`)}
        {saved > 0 && ` ${counted(saved, "job")} saved since you opened this tab.`}
        {failed > 0 && ` ${counted(failed, "job")} couldn’t be saved: ${reason}`}
      </p>
    </div>
  );
}

/** The job whose file name is shown as the example. */
const SAMPLE = {
  requestId: "3f2a9c1e",
  model: "some-model",
  payload: { prompt: "A lighthouse keeper’s study at dusk, storm outside, warm lamp", seed: 4711 },
};

/** The template for the names of downloaded files, with an example. */
export function NameTemplateField() {
  const template = useNameTemplate();
  const [nowMs] = useState(() => Date.now());
  const job = { ...SAMPLE, createdAtSeconds: nowMs / 1000 };
  const preview = mediaFileName({ job, index: 0, extension: "png", template });
  const add = (token: string) => setNameTemplate(`${template || DEFAULT_NAME_TEMPLATE}-{${token}}`);
  return (
    <div className="max-w-130">
      <Field label="File names" note="{prompt:40} uses the first 40 characters">
        {({ id, describedBy }) => (
          <TextInput
            id={id}
            aria-describedby={describedBy}
            spellCheck={false}
            placeholder={DEFAULT_NAME_TEMPLATE}
            value={template}
            onChange={(event) => setNameTemplate(event.target.value)}
          />
        )}
      </Field>
      <div data-field="" className="mt-2 flex flex-wrap gap-1.5">
        {NAME_TOKENS.map((token) => (
          <Button key={token} size="sm" aria-label={`Add ${token}`} onClick={() => add(token)}>
            {`{${token}}`}
          </Button>
        ))}
        {template !== "" && (
          <Button size="sm" variant="ghost" onClick={() => setNameTemplate("")}>
            Reset to default
          </Button>
        )}
      </div>
      <p className="m-0 mt-2.5 text-sm text-ink-2">
        For example{" "}
        <output aria-label="Example" className="wrap-anywhere font-mono text-xs text-ink">
          {preview}
        </output>
      </p>
    </div>
  );
}

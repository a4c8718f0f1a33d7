import { useConnection } from "#connection/connection-store.ts";
import { FinishAlertSettings } from "#jobs/alerts/finish-alert-settings.tsx";
import { ArchiveSettings } from "#jobs/archive/archive-settings.tsx";
import { NameTemplateField } from "#media/download/name-template-field.tsx";
import { Kbd } from "#ui/kbd.tsx";
import { PageBar } from "#ui/page-bar.tsx";
import { shortcutLabel } from "#ui/shortcut-label.ts";
import { ConnectionFacts } from "./connection-facts.tsx";
import { SandboxHelp } from "./sandbox-help.tsx";
import { SandboxLimits } from "./sandbox-limits.tsx";
import { SandboxQuirks } from "./sandbox-personalities.tsx";
import { sandboxSettingsUrl } from "./sandbox-settings.ts";
import { SandboxSpeed } from "./sandbox-speed.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { StorageSettings } from "./storage-settings.tsx";
import { ThemeSetting } from "./theme-setting.tsx";

/** `/settings`: the look, who the studio talks to, and the sandbox's own controls. */
export function SettingsScreen() {
  const connection = useConnection();
  return (
    <>
      <PageBar title="Settings" />
      <div className="mx-auto max-w-[880px] px-[18px] pb-12 max-sm:px-4">
        <SettingsSection title="Theme" lead="Kept on this device.">
          <ThemeSetting />
        </SettingsSection>
        <SettingsSection
          title="When a job finishes"
          lead="Only while you are away. The tab’s title and icon always say it."
        >
          <FinishAlertSettings />
        </SettingsSection>
        <SettingsSection title="Downloads" lead="Of one file, of a zip, and of the folder that jobs are archived into.">
          <NameTemplateField />
          <div className="mt-5">
            <ArchiveSettings />
          </div>
        </SettingsSection>
        {connection && (
          <SettingsSection
            title="Connection"
            lead="The key goes to these two addresses only, straight or through the relay of this studio’s own host."
          >
            <ConnectionFacts connection={connection} />
          </SettingsSection>
        )}
        {connection && (
          <SettingsSection title="This browser’s notes" lead="Kept here alone, never with the key in them.">
            <StorageSettings />
          </SettingsSection>
        )}
        {connection?.isSandbox && (
          <>
            <SettingsSection title="Sandbox time" lead="Queued jobs take one to five minutes of sandbox time.">
              <SandboxSpeed settingsUrl={sandboxSettingsUrl(connection)} className="max-w-[360px]" />
            </SettingsSection>
            <SettingsSection
              title="Sandbox answers"
              lead="Where the specification leaves an answer open, real services differ. Each way can be tried."
            >
              <SandboxQuirks settingsUrl={sandboxSettingsUrl(connection)} />
            </SettingsSection>
            <SettingsSection title="Sandbox inputs" lead="Type these to see every error with your own eyes.">
              <SandboxHelp />
            </SettingsSection>
            <SettingsSection title="Sandbox limits" lead="What it only plays, or leaves out.">
              <SandboxLimits />
            </SettingsSection>
          </>
        )}
        <SettingsSection title="Keyboard">
          <p className="m-0 text-ink-2">
            <Kbd keys="mod+k" className="mr-1.5" />
            <span className="sr-only">{shortcutLabel("mod+k")}</span> lists every command.
          </p>
          <p className="m-0 mt-1.5 text-ink-2">
            <Kbd className="mr-1.5">?</Kbd>
            <span className="sr-only">The question mark</span> shows the keys of the screen you are on.
          </p>
        </SettingsSection>
        <SettingsSection title="About">
          <p className="m-0 max-w-[60ch] text-ink-2">
            Safelight is a studio for hosted generation queues. It runs in this browser: there is no account and no
            tracking, and it talks only to the addresses you connect. Free software under the MIT licence.
          </p>
        </SettingsSection>
      </div>
    </>
  );
}

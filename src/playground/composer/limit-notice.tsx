import { Link } from "@tanstack/react-router";
import type { StoredError } from "#text/answer.ts";
import { buttonClass } from "#ui/button.tsx";
import { studioCommands } from "#ui/commands.ts";
import { Notice } from "#ui/notice.tsx";

/** A message that a spending limit holds back: it was not sent, and stays in the composer. */
export function LimitNotice({ objection: { title, body, chargedText, nextStep } }: { objection: StoredError }) {
  return (
    <Notice
      tone="error"
      title={title}
      className="mb-2"
      actions={
        <Link to="/spend" data-command={studioCommands.goSpend.id} className={buttonClass({ size: "sm" })}>
          Open Spend
        </Link>
      }
    >
      {[body, chargedText, nextStep].filter(Boolean).join(" ")}
    </Notice>
  );
}

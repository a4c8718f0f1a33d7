import type { Column } from "#chat/conversation.ts";
import { ColumnHead } from "./column-head.tsx";
import { DocumentPane } from "./document-pane.tsx";
import { MessagePane } from "./message-pane.tsx";

/** One column: who answers, and what was said, or the document that is written. */
export function ColumnPane(props: { conversationId: string; column: Column; isOnly: boolean }) {
  const { conversationId, column } = props;
  return (
    <>
      <ColumnHead {...props} />
      {column.isDocument && column.endpoint === "completions" ? (
        <DocumentPane key={column.id} conversationId={conversationId} column={column} />
      ) : (
        <MessagePane conversationId={conversationId} column={column} />
      )}
    </>
  );
}

import { dayStart } from "#lib/time.ts";
import type { ConversationSummary } from "#text/conversations/stored-conversations.ts";

/** A part of the list of conversations. Each folds; `isFolded` is how it begins. */
export interface ConversationGroup {
  id: string;
  title: string;
  kind: "pinned" | "project" | "day";
  conversations: readonly ConversationSummary[];
  isFolded: boolean;
}

interface NamedProject {
  id: string;
  name: string;
}

/**
 * The conversations in the parts of the list: the pinned ones, those of each project by its name, and the others by day.
 * What belongs to a project that no longer exists stands with the others. The order within a part is that of the list.
 */
export function groupConversations(
  summaries: readonly ConversationSummary[],
  projects: readonly NamedProject[],
  nowMs: number,
): ConversationGroup[] {
  const today = dayStart(nowMs);
  // In the middle of the day before: a day may have 23 hours or 25.
  const yesterday = dayStart(today - 12 * 3_600_000);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const pinned = summaries.filter(({ isPinned }) => isPinned);
  const rest = summaries.filter(({ isPinned }) => !isPinned);
  const isFree = ({ projectId }: ConversationSummary) => projectId === undefined || !names.has(projectId);
  const free = rest.filter(isFree);
  const newest = free.filter(({ updatedAtMs }) => updatedAtMs >= today);
  const before = free.filter(({ updatedAtMs }) => updatedAtMs >= yesterday && updatedAtMs < today);
  const earlier = free.filter(({ updatedAtMs }) => updatedAtMs < yesterday);
  const ofProjects = projects.map(({ id, name }): ConversationGroup => {
    const conversations = rest.filter(({ projectId }) => projectId === id);
    return { id: `project ${id}`, title: name, kind: "project", conversations, isFolded: true };
  });
  const days: ConversationGroup[] = [
    { id: "today", title: "Today", kind: "day", conversations: newest, isFolded: false },
    { id: "yesterday", title: "Yesterday", kind: "day", conversations: before, isFolded: false },
    {
      id: "earlier",
      title: "Earlier",
      kind: "day",
      conversations: earlier,
      // Where there is nothing newer, the last ones are what is looked for.
      isFolded: newest.length + before.length > 0,
    },
  ];
  const groups: ConversationGroup[] = [
    { id: "pinned", title: "Pinned", kind: "pinned", conversations: pinned, isFolded: false },
    ...ofProjects,
    ...days,
  ];
  return groups.filter(({ conversations }) => conversations.length > 0);
}

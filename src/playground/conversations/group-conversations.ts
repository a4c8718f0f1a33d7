import { dayStart } from "#lib/time.ts";
import type { ConversationSummary } from "#text/conversations/stored-conversations.ts";

/** A group of the list of conversations. `isFolded`: whether it is closed at first. */
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
 * Groups the conversations: the pinned ones, those of each project, and the others by day. Those of a project that no
 * longer exists are grouped by day. The order within a group is that of `summaries`. Empty groups are left out.
 */
export function groupConversations(
  summaries: readonly ConversationSummary[],
  projects: readonly NamedProject[],
  nowMs: number,
): ConversationGroup[] {
  const today = dayStart(nowMs);
  // From the middle of the day before, because a day may have 23 or 25 hours.
  const yesterday = dayStart(today - 12 * 3_600_000);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const pinned = summaries.filter(({ isPinned }) => isPinned);
  const unpinned = summaries.filter(({ isPinned }) => !isPinned);
  const hasNoProject = ({ projectId }: ConversationSummary) => projectId === undefined || !names.has(projectId);
  const withoutProject = unpinned.filter(hasNoProject);
  const ofToday = withoutProject.filter(({ updatedAtMs }) => updatedAtMs >= today);
  const ofYesterday = withoutProject.filter(({ updatedAtMs }) => updatedAtMs >= yesterday && updatedAtMs < today);
  const earlier = withoutProject.filter(({ updatedAtMs }) => updatedAtMs < yesterday);
  const ofProjects = projects.map(({ id, name }): ConversationGroup => {
    const conversations = unpinned.filter(({ projectId }) => projectId === id);
    return { id: `project ${id}`, title: name, kind: "project", conversations, isFolded: true };
  });
  const days: ConversationGroup[] = [
    { id: "today", title: "Today", kind: "day", conversations: ofToday, isFolded: false },
    { id: "yesterday", title: "Yesterday", kind: "day", conversations: ofYesterday, isFolded: false },
    {
      id: "earlier",
      title: "Earlier",
      kind: "day",
      conversations: earlier,
      // Open at first if nothing is newer.
      isFolded: ofToday.length + ofYesterday.length > 0,
    },
  ];
  const groups: ConversationGroup[] = [
    { id: "pinned", title: "Pinned", kind: "pinned", conversations: pinned, isFolded: false },
    ...ofProjects,
    ...days,
  ];
  return groups.filter(({ conversations }) => conversations.length > 0);
}

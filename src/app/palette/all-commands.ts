import { batchCommands, sheetCommands } from "#batch/commands.ts";
import { priceCommands } from "#batch/prices/commands.ts";
import { createCommands } from "#create/commands.ts";
import { historyCommands } from "#history/commands.ts";
import { playerCommands, uploadCommands } from "#media/commands.ts";
import { modelCommands } from "#models/commands.ts";
import { documentCommands, playgroundCommands, questionCommands, responseCommands } from "#playground/commands.ts";
import { queueCommands } from "#queue/commands.ts";
import { compareCommands, jobCommands, resultCommands } from "#results/commands.ts";
import { settingsCommands } from "#settings/commands.ts";
import { spendCommands } from "#spend/commands.ts";
import { type CommandInfo, idWithoutItem, type Place, studioCommands } from "#ui/commands.ts";

/**
 * Every command of Safelight, also of screens that are not open, in the order of the list of keys and of the palette.
 * `test/app/palette/all-commands.test.ts` checks that no `commands.ts` is left out, and that one act has one key.
 */
export const ALL_COMMANDS: readonly CommandInfo[] = [
  createCommands,
  uploadCommands,
  batchCommands,
  sheetCommands,
  priceCommands,
  modelCommands,
  historyCommands,
  resultCommands,
  compareCommands,
  playerCommands,
  jobCommands,
  playgroundCommands,
  responseCommands,
  questionCommands,
  documentCommands,
  spendCommands,
  settingsCommands,
  studioCommands,
  queueCommands,
].flatMap((commands) => Object.values<CommandInfo>(commands));

/** The commands that keys can be given to. */
export const KEYED_COMMANDS = ALL_COMMANDS.filter(({ isPerItem }) => !isPerItem);

const ORDER = new Map(ALL_COMMANDS.map(({ id }, place) => [id, place]));

/** Where a command stands among all of them. */
export function getCommandOrder(id: string): number {
  return ORDER.get(idWithoutItem(id)) ?? ALL_COMMANDS.length;
}

/** The commands that can act in a place. */
export function commandsIn(place: Place | undefined): CommandInfo[] {
  return KEYED_COMMANDS.filter(({ places }) => places.length === 0 || (place !== undefined && places.includes(place)));
}

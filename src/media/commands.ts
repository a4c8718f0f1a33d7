import { defineCommands } from "#ui/commands.ts";

/** What the bar of a player does with a video or audio. */
export const playerCommands = defineCommands(
  { group: "Player", places: ["create", "job", "viewer", "compare"] },
  {
    play: { id: "player.play", label: "Play or pause", keys: "space", alsoKeys: "k" },
    skipBack: { id: "player.skip-back", label: "Skip back", keys: "j", repeats: true },
    skipOn: { id: "player.skip-on", label: "Skip forward", keys: "l", repeats: true },
    frameBack: { id: "player.frame-back", label: "Previous frame", keys: ",", repeats: true },
    frameOn: { id: "player.frame-on", label: "Next frame", keys: ".", repeats: true },
    mute: { id: "player.mute", label: "Mute", keys: "u" },
    loop: { id: "player.loop", label: "Loop" },
    saveFrame: { id: "player.save-frame", label: "Save frame" },
    pip: { id: "player.pip", label: "Picture-in-picture" },
  },
);

export const uploadCommands = defineCommands(
  { group: "Run", places: ["create"] },
  { rehost: { id: "create.rehost", label: "Upload a copy" } },
);

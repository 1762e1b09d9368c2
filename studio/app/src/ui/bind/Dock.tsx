// "Try a bend": the chosen joint, bent as far as it goes in life. Nothing is changed by it.
import type { JSX } from "preact";
import { chooseFiles, MOTIONS, send, state } from "../../store";
import { NumberField, Select, Slider } from "../controls";
import { Icon } from "../icons";
import { chooseMode } from "../modes";
import { bend } from "./Rail";

const verb = (name: string) => {
  const text = name.replace(/^\S+\s/, "").replace(/\s[\d.]+$/, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

export function Dock(): JSX.Element | null {
  const { moves, bend: now } = state.bind.value;
  const { joints, clips } = state.model.value;
  const selection = state.selection.value;
  const play = state.play.value;
  if (joints.length === 0) return null;
  const chosen = selection.kind === "joint" ? joints[selection.index]?.name : "";
  const move = moves.find((one) => one.index === now.move) ?? moves[0];
  const playing = play.playing && play.clip >= 0;
  return (
    <section class="dock bind-dock" aria-label="Try a bend">
      <b>Try a bend</b>
      {move ? (
        <>
          <Select label="Bend" value={String(move.index)} options={moves.map((one) => ({ value: String(one.index), label: verb(one.name) }))} onChange={(value) => bend(Number(value), now.share)} />
          <Slider
            label={`${move.name}, share of the way`}
            value={now.move === move.index ? now.share * move.degrees : 0}
            min={move.both ? -move.degrees : 0}
            max={move.degrees}
            initial={0}
            unit="°"
            onChange={(degrees) => bend(move.index, degrees / move.degrees)}
          />
          <NumberField
            label="Degrees"
            value={Math.round((now.move === move.index ? now.share : 0) * move.degrees)}
            min={move.both ? -move.degrees : 0}
            max={move.degrees}
            unit="°"
            onChange={(degrees) => bend(move.index, degrees / move.degrees)}
          />
        </>
      ) : (
        <span class="bind-none">{chosen ? `${chosen} has no bend of its own.` : "Choose a joint to bend it."}</span>
      )}
      <span class="spring" />
      <button type="button" class="button" title="Every joint through all that it can do" onClick={() => (playing ? send({ type: "play", playing: false }) : send({ type: "bind:range" }))}>
        <Icon name={playing ? "pause" : "play"} /> {playing ? "Pause" : "Play range"}
      </button>
      {clips.some((clip) => clip.name !== "range") ? (
        <button type="button" class="button primary" onClick={() => chooseMode("move")}>
          Next: Move <Icon name="arrow" />
        </button>
      ) : (
        <button type="button" class="button primary" onClick={() => chooseFiles(MOTIONS)}>
          <Icon name="plus" /> Add motion
        </button>
      )}
    </section>
  );
}

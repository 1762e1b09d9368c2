import type { JSX } from "preact";
import { chooseFiles, dark, dialog, MODELS, panels, send, setTheme, start, state } from "../store";
import { IconButton } from "./controls";
import { Icon, Mark } from "./icons";
import { Tabs } from "./modes";

const SAVED = {
  unchanged: "Not changed",
  saving: "Saving",
  saved: "Saved in this browser",
  unsaved: "Not saved: this browser keeps nothing for pages",
};

export function TopBar(): JSX.Element {
  const undo = state.undo.value;
  const redo = state.redo.value;
  const has = state.model.value.kind !== "none";
  return (
    <header class="top">
      <div class="top-left">
        <button type="button" class="brand" title="Start screen" onClick={() => (start.value = true)}>
          <Mark />
          Sinew
        </button>
        <span class="project">
          <b>{state.model.value.name}</b>
          <span class="saved" role="status">
            {has ? SAVED[state.saved.value] : ""}
          </span>
        </span>
      </div>
      {has && !start.value ? <Tabs /> : null}
      <div class="top-right">
        <IconButton
          icon="undo"
          label={undo.length > 0 ? `Undo ${undo[0]}` : "Undo"}
          keys="Ctrl Z"
          disabled={undo.length === 0}
          onClick={() => send({ type: "undo", steps: 1 })}
        />
        <IconButton
          icon="redo"
          label={redo.length > 0 ? `Redo ${redo[0]}` : "Redo"}
          keys="Ctrl Shift Z"
          disabled={redo.length === 0}
          onClick={() => send({ type: "redo", steps: 1 })}
        />
        <IconButton icon="history" label="History" onClick={() => (dialog.value = "history")} />
        <span class="rule" />
        <IconButton icon="panel" label="Outliner" keys="T" on={panels.value.left} class="left-toggle" onClick={() => (panels.value = { ...panels.value, left: !panels.value.left })} />
        <IconButton icon="panel" label="Settings" keys="N" on={panels.value.right} class="mirror" onClick={() => (panels.value = { ...panels.value, right: !panels.value.right })} />
        <IconButton icon={dark.value ? "sun" : "moon"} label={dark.value ? "Light theme" : "Dark theme"} onClick={() => setTheme(!dark.value)} />
        <IconButton icon="help" label="Keys" keys="?" onClick={() => (dialog.value = "keys")} />
        <span class="rule" />
        <IconButton icon="picture" label="Picture of the viewport" disabled={!has} onClick={() => send({ type: "picture" })} />
        <button type="button" class="button" onClick={() => chooseFiles(MODELS + ",.bvh,.amc,.asf,.json")}>
          <Icon name="open" /> Open
        </button>
        <button type="button" class="button" disabled={!has} title="Save the project (Ctrl S)" onClick={() => send({ type: "write", what: "snproject" })}>
          <Icon name="save" /> Save
        </button>
        <button type="button" class="button primary" disabled={!has || start.value} title="A file that an engine plays, a film or a picture (E)" onClick={() => (dialog.value = "export")}>
          <Icon name="upload" /> Export
        </button>
      </div>
    </header>
  );
}

// The export dialog: what each format costs and how far off it is, before it is written.
import "./leave.css";
import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import type { CameraMove, Format, LeaveOptions, Stage } from "../../protocol/leave";
import { dialog, send, state } from "../../store";
import { NumberField, Segments, Select, Switch } from "../controls";
import { Icon, type IconName } from "../icons";
import { Dialog } from "../Overlays";

const FORMATS: { format: Format; icon: IconName; title: string; what: string }[] = [
  { format: "skin", icon: "person", title: "GLB, plain skin", what: "Plays everywhere" },
  { format: "joints", icon: "joint", title: "GLB, helper joints", what: "Every engine plays them" },
  { format: "morph", icon: "mesh", title: "GLB, morph targets", what: "Any engine with morphs" },
  { format: "cache", icon: "pulse", title: "Point cache", what: "Blender, Maya, Houdini" },
  { format: "film", icon: "clip", title: "Film, WebM", what: "To show" },
  { format: "sheet", icon: "frame", title: "Contact sheet, PNG", what: "Moments of the clip in one picture" },
  { format: "picture", icon: "picture", title: "Picture, PNG", what: "The viewport as it is" },
  { format: "settings", icon: "brush", title: "Settings, JSON", what: "For other characters" },
  { format: "project", icon: "save", title: "Sinew project", what: "Everything, to go on" },
];

export const bytes = (size: number) => (size >= 1e6 ? `${(size / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(size / 1e3))} kB`);
export const millimetres = (error: number) => (error === 0 ? "exact" : `${(1000 * error).toFixed(1000 * error < 10 ? 1 : 0)} mm`);

function numbers(format: Format): { size: string; error: string } {
  const offer = state.leave.value.offers[format];
  const size = format === "film" ? "while recording" : offer?.size ? `${offer.about ? "about " : ""}${bytes(offer.size)}` : "";
  const error = offer?.error === null || offer?.error === undefined ? "" : millimetres(offer.error);
  return { size, error };
}

function List({ format, choose }: { format: Format; choose: (format: Format) => void }): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const key = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = (FORMATS.findIndex((one) => one.format === format) + by + FORMATS.length) % FORMATS.length;
    choose(FORMATS[next].format);
    (list.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="formats" role="radiogroup" aria-label="Format" ref={list} onKeyDown={key}>
      {FORMATS.map((one) => {
        const { size, error } = numbers(one.format);
        const offer = state.leave.value.offers[one.format];
        const bad = one.format === "skin" && (offer?.error ?? 0) > 0.005;
        return (
          <button type="button" role="radio" aria-checked={one.format === format} tabIndex={one.format === format ? 0 : -1} class="format" onClick={() => choose(one.format)}>
            <Icon name={one.icon} />
            <span class="format-text">
              <b>{one.title}</b>
              <span>{one.what}</span>
            </span>
            <span class="format-numbers">
              <span>{size}</span>
              <span class={bad ? "bad" : ""}>{error}</span>
            </span>
          </button>
        );
      })}
    </div>
  );
}

// ----------------------------------------------------------------------------------------------------- curve

// Size against error, both by their logarithms; the handle takes the nearest count that was tried.
function Plot({ stages, count, unit, cache, choose }: { stages: Stage[]; count: number; unit: string; cache: number | null; choose: (stage: Stage) => void }): JSX.Element {
  const box = useRef<SVGSVGElement>(null);
  const held = useRef(false);
  // What costs more and comes no nearer is not offered.
  let least = Infinity;
  const shown = stages.filter((stage) => {
    const better = stage.error > 0 && stage.error < least;
    if (better || stage.count === count) least = Math.min(least, stage.error);
    return better || stage.count === count;
  });
  const errors = shown.map((stage) => stage.error);
  const sizes = shown.map((stage) => stage.size);
  const low = Math.log(Math.min(...errors) * 0.8);
  const high = Math.log(Math.max(...errors) * 1.25);
  const top = Math.max(...sizes, cache ?? 0) * 1.1;
  const x = (error: number) => 44 + (356 * (Math.log(error) - low)) / Math.max(1e-6, high - low);
  const y = (size: number) => 8 + 116 * (1 - size / top);
  const at = Math.max(0, shown.findIndex((stage) => stage.count === count));
  const now = shown[at];
  const take = (event: PointerEvent) => {
    const { left, width } = box.current!.getBoundingClientRect();
    const place = ((event.clientX - left) / width) * 408;
    choose(shown.reduce((best, stage) => (Math.abs(x(stage.error) - place) < Math.abs(x(best.error) - place) ? stage : best)));
  };
  const key = (event: KeyboardEvent) => {
    const by = { ArrowLeft: 1, ArrowDown: 1, ArrowRight: -1, ArrowUp: -1 }[event.key]; // to the left there is less error
    if (by === undefined) return;
    event.preventDefault();
    choose(shown[Math.min(shown.length - 1, Math.max(0, at + by))]);
  };
  const ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200].filter((mm) => Math.log(mm / 1000) > low && x(mm / 1000) < 372);
  return (
    <svg
      class="plot"
      viewBox="0 0 408 148"
      ref={box}
      role="slider"
      {...{ tabindex: 0 }}
      aria-label={`Size against error: number of ${unit}`}
      aria-valuemin={0}
      aria-valuemax={shown.length - 1}
      aria-valuenow={at}
      aria-valuetext={`${now.count} ${unit}, ${millimetres(now.error)}, ${bytes(now.size)}`}
      onKeyDown={key}
      onPointerDown={(event) => {
        held.current = true;
        box.current!.setPointerCapture(event.pointerId);
        take(event);
      }}
      onPointerMove={(event) => held.current && take(event)}
      onPointerUp={() => (held.current = false)}
      onPointerCancel={() => (held.current = false)}
    >
      {[0, 0.5, 1].map((share) => (
        <>
          <path class="grid" d={`M44 ${y(top * share * 0.9)}H400`} />
          <text x="38" y={y(top * share * 0.9) + 4} text-anchor="end">
            {Math.round((top * share * 0.9) / 1e5) / 10}
          </text>
        </>
      ))}
      {ticks.map((mm) => (
        <text x={x(mm / 1000)} y="144" text-anchor="middle">
          {mm}
        </text>
      ))}
      <text x="400" y="144" text-anchor="end" class="axis-unit">
        mm
      </text>
      {cache ? (
        <>
          <path class="cache" d={`M44 ${y(cache)}H400`} />
          <text x="396" y={y(cache) + 12} text-anchor="end">
            point cache, exact
          </text>
        </>
      ) : null}
      <path class="curve-line" d={`M${shown.map((stage) => `${x(stage.error)} ${y(stage.size)}`).join("L")}`} />
      {shown.map((stage) => (
        <circle class="stage" cx={x(stage.error)} cy={y(stage.size)} r="2" />
      ))}
      <path class="drop-line" d={`M44 ${y(now.size)}H${x(now.error)}V124`} />
      <circle class="handle" cx={x(now.error)} cy={y(now.size)} r="6" />
      <text class="here" x={Math.min(x(now.error) + 10, 250)} y={Math.max(16, y(now.size) - 10)}>
        {now.count} {unit}, {millimetres(now.error)}, {bytes(now.size)}
      </text>
    </svg>
  );
}

function Curve({ format }: { format: "joints" | "morph" }): JSX.Element {
  const { stages, options, offers, beyond } = state.leave.value;
  const list = stages[format];
  const unit = format === "joints" ? "helpers" : "targets";
  const chosen = format === "joints" ? options.helpers : options.targets;
  const working = state.progress.value !== null;
  const own = offers[format];
  if (!beyond) return <p class="leave-note">The plain skin does all that this character does. Nothing beyond it is needed.</p>;
  if (options.clip < 0) return <p class="leave-note">The rest pose alone needs no {unit}. Choose a clip, or bring a motion first.</p>;
  if (list.filter((stage) => stage.error > 0).length < 2)
    return (
      <div class="leave-note">
        <p>{list.length === 0 ? `How many ${unit} there are, and how near they come, is measured on all ${state.leave.value.frames} frames.` : `This clip needs no ${unit}.`}</p>
        {list.length === 0 ? (
          <button type="button" class="button" disabled={working} onClick={() => send({ type: "leave:measure", format })}>
            {working ? "Measuring …" : "Measure size against error"}
          </button>
        ) : null}
      </div>
    );
  // The number that the file at hand was made with, where none was chosen.
  const made = chosen > 0 ? chosen : own?.count || list[list.length - 1].count;
  const choose = (stage: Stage) => send({ type: "leave:options", options: format === "joints" ? { helpers: Math.max(1, stage.count) } : { targets: Math.max(1, stage.count) } });
  return (
    <>
      <div class="leave-head">
        <b>Size against error</b>
        <span>MB, measured on all {state.leave.value.frames} frames</span>
      </div>
      <Plot stages={list} count={made} unit={unit} cache={format === "morph" ? (offers.cache?.size ?? null) : null} choose={choose} />
    </>
  );
}

// --------------------------------------------------------------------------------------------------- options

function Row({ label, children, title }: { label: string; children: JSX.Element; title?: string }): JSX.Element {
  return (
    <div class="leave-row" title={title}>
      <span>{label}</span>
      {children}
    </div>
  );
}
const set = (options: Partial<LeaveOptions>) => send({ type: "leave:options", options });

function Stretch(): JSX.Element {
  const { options } = state.leave.value;
  const { clips } = state.model.value;
  const list = [{ value: "-1", label: "Rest pose" }, ...clips.map((clip, i) => ({ value: String(i), label: clip.name || `clip ${i + 1}` }))];
  const duration = clips[options.clip]?.duration ?? 0;
  return (
    <>
      <Row label="Clip">
        <Select label="Clip" value={String(options.clip)} options={list} onChange={(clip) => set({ clip: Number(clip), from: 0, to: clips[Number(clip)]?.duration ?? 0 })} />
      </Row>
      <Row label="Seconds">
        <span class="two">
          <NumberField label="From second" value={options.from} unit="s" min={0} max={options.to} onChange={(from) => set({ from })} />
          <NumberField label="To second" value={options.to} unit="s" min={options.from} max={duration} onChange={(to) => set({ to })} />
        </span>
      </Row>
      <Row label="Frame rate">
        <Segments label="Frame rate" value={String(options.fps)} options={["24", "30", "60"].map((fps) => ({ value: fps, label: fps }))} onChange={(fps) => set({ fps: Number(fps) })} />
      </Row>
    </>
  );
}

const CAMERAS: { value: CameraMove; label: string }[] = [
  { value: "still", label: "Still" },
  { value: "follow", label: "Follow" },
  { value: "turntable", label: "Turntable" },
  { value: "keys", label: "Keys" },
];
const SIZES = ["640x480", "1280x720", "1920x1080", "1080x1920"];

function Options({ format }: { format: Format }): JSX.Element {
  const { options, keys } = state.leave.value;
  const glb = format === "skin" || format === "joints" || format === "morph";
  const moving = glb || format === "cache" || format === "film" || format === "sheet";
  return (
    <>
      {format === "joints" || format === "morph" ? <Curve format={format} /> : null}
      {format === "skin" ? <p class="leave-note">The character's own joints and weights, as every viewer blends them. Flesh and volume stay behind; the settings travel along, for Sinew.</p> : null}
      {format === "cache" ? <p class="leave-note">Every vertex at every frame: exact, and large. Put it onto the same mesh in your program.</p> : null}
      {format === "picture" ? <p class="leave-note">The viewport as it is now, with what it shows.</p> : null}
      {format === "settings" ? <p class="leave-note">All settings as JSON. Drop the file onto another character, or give it to the command line: --settings {state.model.value.name}.json</p> : null}
      {format === "project" ? <p class="leave-note">The files that you brought, and everything that was made of them. It opens here and on the command line.</p> : null}
      {moving ? <Stretch /> : null}
      {glb ? (
        <div class="leave-row" title="EXT_meshopt_compression: smaller, for viewers that know it">
          <span>Packed</span>
          <Switch label="Packed" on={options.compress} onChange={(compress) => set({ compress })} />
        </div>
      ) : null}
      {format === "cache" ? (
        <Row label="Format">
          <Segments
            label="Format of the cache"
            value={options.join}
            options={[
              { value: "pc2", label: "PC2" },
              { value: "mdd", label: "MDD" },
            ]}
            onChange={(join) => set({ join })}
          />
        </Row>
      ) : null}
      {format === "film" || format === "sheet" ? (
        <>
          <Row label="Size">
            <Select
              label="Size of the picture"
              value={`${options.width}x${options.height}`}
              options={SIZES.map((size) => ({ value: size, label: size.replace("x", " × ") }))}
              onChange={(size) => {
                const [width, height] = size.split("x").map(Number);
                set({ width, height });
              }}
            />
          </Row>
          <Row label="Camera">
            <Segments label="Camera" value={options.camera} options={CAMERAS} onChange={(camera) => set({ camera })} />
          </Row>
        </>
      ) : null}
      {(format === "film" || format === "sheet") && options.camera === "keys" ? (
        <p class="leave-note">{keys.length === 0 ? "No keys yet: close this, go to a moment, set the view and press Shift K. Two or more make a move." : `${keys.length} keys of the camera, at ${keys.map((key) => `${key.time.toFixed(1)} s`).join(", ")}.`}</p>
      ) : null}
      {format === "film" || format === "sheet" || format === "picture" ? (
        <div class="leave-row" title="Only the character and its shadow. Films are WebM with alpha, which browsers play">
          <span>Transparent</span>
          <Switch label="Transparent background" on={options.alpha} onChange={(alpha) => set({ alpha })} />
        </div>
      ) : null}
      {format === "sheet" ? (
        <Row label="Columns">
          <NumberField label="Columns" value={options.columns} whole min={2} max={8} onChange={(columns) => set({ columns })} />
        </Row>
      ) : null}
      {format === "film" && state.leave.value.ready && state.leave.value.codecs.length === 0 ? <p class="leave-note warns">This browser cannot encode films. The command line can: sinew animate FILE -o film.mp4</p> : null}
    </>
  );
}

const SUFFIX: Record<Format, string> = { skin: ".glb", joints: ".glb", morph: ".glb", cache: "", film: ".webm", sheet: "-sheet.png", picture: ".png", settings: ".json", project: ".snproject" };

export default function Export(): JSX.Element {
  const still = state.model.value.clips.length === 0;
  const [format, choose] = useState<Format>(still ? "skin" : "joints");
  const leave = state.leave.value;
  useEffect(() => send({ type: "leave:open" }), []);
  const close = () => {
    send({ type: "leave:close" });
    dialog.value = "none";
  };
  const { options, offers, written } = leave;
  const clip = state.model.value.clips[options.clip];
  const name = `${state.model.value.name}${format === "cache" ? `.${options.join}` : SUFFIX[format]}`;
  const offer = offers[format];
  const size = offer?.size && format !== "film" ? `, ${offer.about ? "about " : ""}${bytes(offer.size)}` : "";
  const progress = state.progress.value;
  const cannot = (format === "film" && leave.ready && leave.codecs.length === 0) || (still && (format === "joints" || format === "morph"));
  return (
    <Dialog title="Export" class="export" onClose={close}>
      <p class="leave-what">
        {state.model.value.name}, {clip ? `${clip.name}, ${clip.duration.toFixed(1)} s` : "rest pose"}
      </p>
      <div class="leave-columns">
        <div>
          <div class="leave-head">
            <span>Format</span>
            <span>size, largest error</span>
          </div>
          <List format={format} choose={choose} />
        </div>
        <div class="leave-options">
          <Options format={format} />
        </div>
      </div>
      <div class="leave-foot">
        <span class="leave-state" role="status">
          {progress ? (
            <>
              {progress.what} {progress.stage} {Math.round(100 * progress.share)} %
              <progress value={progress.share} max={1} aria-label={progress.what} />
              <button type="button" class="button" onClick={() => send({ type: "cancel" })}>
                Stop
              </button>
            </>
          ) : written ? (
            <>
              Wrote {written.name}, {bytes(written.size)}.
              {written.name.endsWith(".glb") ? (
                <button
                  type="button"
                  class="button link"
                  title="Opens the file again and plays it beside the original"
                  onClick={() => {
                    send({ type: "leave:compare", on: true });
                    dialog.value = "none";
                  }}
                >
                  Compare with the original
                </button>
              ) : null}
            </>
          ) : (
            "A GLB that was written before can be dropped here, to compare it."
          )}
        </span>
        <button type="button" class="button" onClick={close}>
          Close
        </button>
        <button type="button" class="button primary" disabled={cannot} onClick={() => send({ type: "leave:write", format })}>
          <Icon name="upload" /> Write {name}
          {size}
        </button>
      </div>
    </Dialog>
  );
}

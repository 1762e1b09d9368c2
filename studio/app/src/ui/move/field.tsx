// A row of a panel: a name and what sets it.
import type { JSX } from "preact";

export function Field(props: { label: string; children: JSX.Element; title?: string }): JSX.Element {
  return (
    <div class="setting" title={props.title}>
      <span class="name">{props.label}</span>
      {props.children}
    </div>
  );
}

import { render } from "preact";
import { App } from "./ui/App";
import { begin } from "./store";
import "./style.css";

begin();
render(<App />, document.getElementById("app")!);

// What failed, where, what became of the work, and what to do.
import { SinewError, sn } from "./library";
import { post } from "./post";

const KEPT = "Your work was not changed.";

function nextStep(what: string, error: unknown): string {
  if (!(error instanceof SinewError)) return KEPT;
  if ((error.code === sn.SN_RESULT_NOT_FOUND || error.code === sn.SN_RESULT_IO) && /^(Opening|Adding|Fitting)/.test(what))
    return `${KEPT} If it names other files, drop them together with it, or drop their folder.`;
  if (error.code === sn.SN_RESULT_OUT_OF_MEMORY || error.code === sn.SN_RESULT_LIMIT) return `${KEPT} It needs more memory than this tab may take.`;
  if (error.code === sn.SN_RESULT_UNSUPPORTED) return `${KEPT} The command line reads more formats: sinew convert FILE -o out.glb`;
  return KEPT;
}

export const isCancelled = (error: unknown): boolean => error instanceof SinewError && error.code === sn.SN_RESULT_CANCELLED;

export function fail(what: string, error: unknown): void {
  if (isCancelled(error)) {
    post({ type: "note", text: `${what} was cancelled. Nothing was changed.` });
    return;
  }
  const detail = error instanceof Error ? error.message : String(error);
  post({ type: "error", what: `${what} failed.`, detail, next: nextStep(what, error) });
  if (!(error instanceof SinewError)) console.error(error);
}

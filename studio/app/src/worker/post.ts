// To the page.
import type { Message } from "../protocol";

export function post(message: Message, transfer: Transferable[] = []): void {
  (self as unknown as Worker).postMessage(message, transfer);
}

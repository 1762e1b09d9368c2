// Shares as people read them: as many digits as tell something.
export function percent(value: number): string {
  const percents = 100 * value;
  if (percents === 0) return "0 %";
  return `${percents < 0.995 ? percents.toFixed(2) : percents < 9.95 ? percents.toFixed(1) : percents.toFixed(0)} %`;
}
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const methodName = (name: string): string => (name === "" ? "as set" : name);
// Lines of methods, with a shape of their own where color is not enough.
export const COLORS = ["var(--check-0)", "var(--check-1)", "var(--check-2)", "var(--check-3)"];
export const DASHES = ["", "6 3", "2 3", "8 3 2 3"];

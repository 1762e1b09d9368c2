export default function Tour(): null {
  return null;
}
